package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisFixture;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.server.RedisSentinel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A failover that Sentinel is ordered to make.
 *
 * <p>Promised, and looked at: the client finds the new master by itself, fails with nothing but
 * passing failures meanwhile, and with fences that survive data loss gets greater ones afterwards
 * than before.
 *
 * <p>Not promised, and not looked at: that no two hold a lock during the failover. Replication is
 * asynchronous, also when Sentinel is ordered to fail over, and the old master goes on granting
 * locks until it is told that it is one no more; what it granted last may be lost, what it released
 * last may be back until it expires, and fences that were handed out meanwhile, by two masters, may
 * be equal.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SentinelFailoverTest {

  /** Many, as such fences are for fewer than 1000 acquisitions of a key in a second. */
  private static final List<String> KEYS = IntStream.range(0, 64).mapToObj(i -> "k" + i).toList();

  /** A release that was lost with the old master is made up for by the lock's expiry. */
  private static final LockOptions SHORT_LIVED =
      WayToWait.PERSISTENT.withTtl(Duration.ofSeconds(2));

  private RedisSentinel sentinel;

  @BeforeAll
  void start() {
    sentinel = RedisSentinel.start();
  }

  @AfterAll
  void stop() {
    sentinel.close();
  }

  private SyncGuard open() {
    return SyncGuard.over(
        RedisStore.connect(
            RedisFixture.uri(sentinel),
            RedisOptions.defaults().withFences(Fences.SURVIVE_DATA_LOSS)));
  }

  @Test
  void serviceResumesAfterAFailoverUnderLoadAndFencesGoOn() throws Exception {
    try (SyncGuard guard = open();
        LockLoad load = LockLoad.start(guard.locks(), 4, KEYS, SHORT_LIVED)) {
      Map<String, Fence> before = fences(guard.locks());
      load.awaitHolds(100);

      sentinel.failover();

      load.awaitHolds(100);
      load.close();
      assertThat(load.failures()).allMatch(SyncGuardException::isTransient);
      Map<String, Fence> after = fences(guard.locks());
      assertThat(KEYS).allMatch(key -> after.get(key).isNewerThan(before.get(key)));
    }
  }

  @Test
  void aLockThatWasReplicatedIsStillHeldAfterAFailover() throws Exception {
    try (SyncGuard guard = open()) {
      LockHandle lock = take(guard.locks(), "held", WayToWait.HOUR);
      eventually(
          () ->
              assertThat(sentinel.replicas().get(0).command("EXISTS", "syncguard:held"))
                  .isEqualTo(1L));
      sentinel.failover();
      eventually(() -> assertThat(guard.locks().owns(lock.lockId())).isTrue());
      assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    }
  }

  private static Map<String, Fence> fences(Locks locks) {
    Map<String, Fence> fences = new HashMap<>();
    for (String key : KEYS) {
      try (LockHandle lock = locks.lock(key, SHORT_LIVED)) {
        fences.put(key, lock.fence());
      }
    }
    return fences;
  }
}
