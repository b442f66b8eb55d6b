package io.syncguard.redis.connection;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Waiters that are told, however the lock comes free. All of them would ask again by themselves
 * only after an hour.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaiterTrackingTest {

  private static final String KEY = "k";
  private static final String LOCK_KEY = "syncguard:k";
  private static final String FOREIGN_RECORD =
      "{\"lockId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"expiresAtMs\":4000000000000,"
          + "\"acquiredAtMs\":1700000000000,\"key\":\"k\",\"fence\":\"000000000000001\"}";

  private final RedisServer server = RedisServer.start();
  private final SyncGuard guard =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final SyncGuard other =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final Locks locks = guard.locks();

  @AfterEach
  void stop() {
    guard.close();
    other.close();
    server.close();
  }

  private CompletableFuture<LockHandle> waiting(WayToWait waiter) throws InterruptedException {
    CompletableFuture<LockHandle> waiting = waiter.waitFor(locks, KEY, WayToWait.TOLD_ONLY);
    WayToWait.awaitTracked(server);
    return waiting;
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterIsToldOfARelease(WayToWait waiter) throws Exception {
    LockHandle held = take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiting(waiter);
    held.release();
    assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterIsToldWhenAForeignClientDeletesBothKeys(WayToWait waiter) throws Exception {
    LockHandle held = take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiting(waiter);
    server.command("DEL", LOCK_KEY, "syncguard:id:" + held.lockId().value());
    assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterIsToldWhenTheServerLetsTheKeyExpire(WayToWait waiter) throws Exception {
    server.command("SET", LOCK_KEY, FOREIGN_RECORD, "KEEPTTL");
    CompletableFuture<LockHandle> waiting = waiting(waiter);
    server.command("PEXPIRE", LOCK_KEY, "100");
    assertThat(WayToWait.got(waiting).isHeld()).isTrue();
  }

  @Test
  void aWaiterIsToldWhenAKeySetWithALifetimeExpires() throws Exception {
    server.command("SET", LOCK_KEY, FOREIGN_RECORD, "PX", "1000");
    assertThat(WayToWait.got(WayToWait.ASYNC.waitFor(locks, KEY, WayToWait.TOLD_ONLY)).isHeld())
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterIsToldWhenEverythingIsFlushed(WayToWait waiter) throws Exception {
    take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiting(waiter);
    server.command("FLUSHALL");
    assertThat(WayToWait.got(waiting).fence().toLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterIsToldAgainAfterItsTrackingConnectionWasKilled(WayToWait waiter) throws Exception {
    LockHandle held = take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiting(waiter);
    String killed = trackingClient();
    server.command("CLIENT", "KILL", "ID", killed);
    // Tracked once more, and by another connection: from here on only being told helps.
    eventually(() -> assertThat(trackingClient()).isNotEqualTo(killed));
    WayToWait.awaitTracked(server);
    assertThat(waiting).isNotDone();
    held.release();
    assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
  }

  @Test
  void aTrackingConnectionThatCouldNotBeOpenedIsTriedAgain() throws Exception {
    take(other.locks(), KEY, WayToWait.HOUR);
    try (FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
        SyncGuard proxied = SyncGuard.open("redis://127.0.0.1:" + proxy.port())) {
      proxy.refuseConnections();
      CompletableFuture<LockHandle> waiting =
          WayToWait.ASYNC.waitFor(proxied.locks(), KEY, WayToWait.PERSISTENT);
      // Answered after the waiter's first attempt, and thus after it has begun to connect.
      assertThat(proxied.locks().isLocked(KEY)).isTrue();
      proxy.heal();
      WayToWait.awaitTracked(server);
      server.command("FLUSHALL");
      assertThat(WayToWait.got(waiting).isHeld()).isTrue();
    }
  }

  /** The id of the one connection that has the t flag of tracking. */
  private String trackingClient() {
    return String.valueOf(server.command("CLIENT", "LIST"))
        .lines()
        .filter(client -> client.matches(".* flags=[a-zA-Z]*t[a-zA-Z]* .*"))
        .map(client -> client.replaceFirst("^id=(\\d+) .*", "$1"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody tracks"));
  }
}
