package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.lock.LockSuite;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that break in every state a client can be in. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionFaultTest {

  private static final String KEY = "k";

  private enum Break {
    KILLED_BY_THE_SERVER,
    CUT_ON_THE_WAY
  }

  private final RedisServer server = RedisServer.start();
  private final FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
  private final SyncGuard guard =
      SyncGuard.open(
          "redis://127.0.0.1:" + proxy.port(), GuardOptions.defaults().withKeepOnClose());
  private final SyncGuard other =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final Locks locks = guard.locks();

  @AfterEach
  void stop() {
    guard.close();
    other.close();
    proxy.close();
    server.close();
  }

  private void breakConnections(Break how) {
    switch (how) {
      case KILLED_BY_THE_SERVER -> server.command("CLIENT", "KILL", "TYPE", "normal");
      case CUT_ON_THE_WAY -> proxy.cutConnections();
    }
  }

  @ParameterizedTest
  @EnumSource(Break.class)
  void anIdleClientConnectsAgain(Break how) {
    breakConnections(how);
    LockHandle lock = locks.lock(KEY, WayToWait.PERSISTENT);
    assertThat(lock.fence().toLong()).isEqualTo(1);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @ParameterizedTest
  @CsvSource({
    "KILLED_BY_THE_SERVER, BLOCKING",
    "KILLED_BY_THE_SERVER, ASYNC",
    "CUT_ON_THE_WAY, BLOCKING",
    "CUT_ON_THE_WAY, ASYNC"
  })
  void anAcquisitionUnderWayGetsTheLockThatItWasGiven(Break how, WayToWait waiter)
      throws Exception {
    LockSuite.take(locks, "so that the server knows the scripts", WayToWait.HOUR).release();
    proxy.freezeReplies();
    CompletableFuture<LockHandle> acquiring = waiter.waitFor(locks, KEY, WayToWait.PERSISTENT);
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isTrue());
    breakConnections(how);
    proxy.heal();
    LockHandle lock = WayToWait.got(acquiring);
    assertThat(lock.fence().toLong()).isEqualTo(1);
    eventually(() -> assertThat(other.locks().owns(lock.lockId())).isTrue());
  }

  @ParameterizedTest
  @EnumSource(Break.class)
  void aHeldLockStaysHeldAndIsExtendedOn(Break how) throws Exception {
    AtomicBoolean lost = new AtomicBoolean();
    LockHandle lock =
        LockSuite.take(locks, KEY, Duration.ofSeconds(2))
            .onLost(() -> lost.set(true))
            .autoExtend(WayToWait.HOUR);
    breakConnections(how);
    Instant before = lock.expiresAt();
    eventually(() -> assertThat(lock.expiresAt()).isAfter(before));
    assertThat(locks.owns(lock.lockId())).isTrue();
    assertThat(lock.isHeld()).isTrue();
    assertThat(lost).isFalse();
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @ParameterizedTest
  @EnumSource(Break.class)
  void aReleaseWaitsForTheNextConnection(Break how) {
    LockHandle first = LockSuite.take(locks, KEY, WayToWait.HOUR);
    breakConnections(how);
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    LockHandle second = LockSuite.take(locks, KEY, WayToWait.HOUR);
    breakConnections(how);
    assertThat(LockSuite.join(second.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterWhoseConnectionsWereKilledIsStillTold(WayToWait waiter) throws Exception {
    LockHandle held = LockSuite.take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiter.waitFor(locks, KEY, WayToWait.TOLD_ONLY);
    WayToWait.awaitTracked(server);
    breakConnections(Break.KILLED_BY_THE_SERVER);
    held.release();
    assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterAsksAgainAtOnceWhenItIsBack(WayToWait waiter) throws Exception {
    LockHandle held = LockSuite.take(other.locks(), KEY, WayToWait.HOUR);
    CompletableFuture<LockHandle> waiting = waiter.waitFor(locks, KEY, WayToWait.TOLD_ONLY);
    WayToWait.awaitTracked(server);
    proxy.refuseConnections();
    proxy.cutConnections();
    held.release();
    proxy.heal();
    assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
  }
}
