package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.redis.WayToWait;
import io.syncguard.semaphore.Permit;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A master that becomes a replica while clients are connected to it. They are not thrown out, and
 * client that connects anew finds the new master: as behind a name that a cloud provider moves, or
 * with Sentinel for a client that was told of the old master too late.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DemotedMasterFaultTest {

  private static final String KEY = "k";

  private final RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
  private final RedisServer replica = RedisServer.start();
  private final FaultyProxy name = FaultyProxy.forwardingTo("127.0.0.1", master.port());
  private final SyncGuard guard =
      SyncGuard.open("redis://127.0.0.1:" + name.port(), GuardOptions.defaults().withKeepOnClose());

  @BeforeEach
  void replicate() {
    follow(replica, master);
    master.awaitReplicatedTo(replica);
  }

  @AfterEach
  void stop() {
    guard.close();
    name.close();
    master.close();
    replica.close();
  }

  private static void follow(RedisServer follower, RedisServer leader) {
    follower.command("REPLICAOF", "127.0.0.1", Integer.toString(leader.port()));
  }

  private void failOver() {
    master.awaitReplicatedTo(replica);
    replica.command("REPLICAOF", "NO", "ONE");
    name.leadTo("127.0.0.1", replica.port());
    follow(master, replica);
  }

  @Test
  void lockingGoesOnAtTheNewMaster() throws Exception {
    LockHandle before = take(guard.locks(), KEY, WayToWait.HOUR);
    before.release();
    failOver();
    LockHandle after = guard.locks().lock(KEY, WayToWait.PERSISTENT);
    assertThat(after.fence().isNewerThan(before.fence())).isTrue();
    after.release();
    assertThat(replica.command("EXISTS", "syncguard:" + KEY)).isEqualTo(0L);
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterForALockGetsItFromTheNewMaster(WayToWait waiter) throws Exception {
    take(guard.locks(), KEY, Duration.ofSeconds(3));
    CompletableFuture<LockHandle> waiting =
        waiter.waitFor(guard.locks(), KEY, WayToWait.PERSISTENT);
    WayToWait.awaitTracked(master);
    failOver();
    assertThat(WayToWait.got(waiting).release()).hasToString("RELEASED");
  }

  @Test
  void noConnectionStaysAtTheOldMaster() throws Exception {
    Permit held = guard.semaphore(KEY, 1).acquire();
    CompletableFuture<Permit> waiting =
        guard.semaphore(KEY, 1).async().acquire(Duration.ofSeconds(50)).toCompletableFuture();
    eventually(() -> assertThat(clientsOf(master, "pubsub")).hasLineCount(1));
    WayToWait.awaitTracked(master);
    failOver();
    eventually(
        () -> {
          guard.locks().lock(KEY, WayToWait.PERSISTENT).release();
          // Only the one that asks.
          assertThat(clientsOf(master, "normal")).hasLineCount(1).contains("cmd=client|list");
          assertThat(clientsOf(master, "pubsub")).isEmpty();
        });
    held.release();
    waiting.join().close();
  }

  private static String clientsOf(RedisServer server, String type) {
    return String.valueOf(server.command("CLIENT", "LIST", "TYPE", type)).strip();
  }

  @Test
  void aWaiterForASlotGetsItFromTheNewMaster() throws Exception {
    Permit held = guard.semaphore(KEY, 1).acquire();
    CompletableFuture<Permit> waiting =
        guard.semaphore(KEY, 1).async().acquire(Duration.ofSeconds(50)).toCompletableFuture();
    eventually(() -> assertThat(guard.semaphore(KEY, 1).stats().waiting()).isEqualTo(1));
    failOver();
    eventually(() -> assertThat(held.release()).hasToString("RELEASED"));
    waiting.join().close();
  }
}
