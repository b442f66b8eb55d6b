package io.syncguard.redis.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.redis.LogCapture;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where fences come from, and where they end. */
class RedisFenceCounterTest extends OnOneRedis {

  private static final String COUNTER = "syncguard:fence:syncguard:k";

  private Store surviving;

  @BeforeAll
  void openClientWhoseFencesSurvive() {
    surviving = open(RedisOptions.defaults().withFences(Fences.SURVIVE_DATA_LOSS));
  }

  @Test
  void aTryThatFindsItsOwnLockIdGetsTheStoredFenceAndExpiry() {
    LockId lockId = LockId.random();
    Granted first = (Granted) acquire(store, "k", lockId);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(acquire(store, "k", lockId)).isEqualTo(first);
    assertThat(acquire(surviving, "k", lockId)).isEqualTo(first);
    assertThat(contents.all()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "900000000000000",
        "900000000000001",
        "9223372036854775807",
        "99999999999999999999"
      })
  void aCounterAtItsEndIsRefusedBeforeAnythingIsWritten(String counter) {
    ForeignLock.on("k").storeExpired(contents, 3000);
    contents.put(COUNTER, counter, RedisContents.NEVER);
    Map<String, RedisContents.Entry> before = contents.all();
    assertFails(Code.INTERNAL, () -> acquire(store, "k", LockId.random()));
    assertFails(Code.INTERNAL, () -> acquire(surviving, "k", LockId.random()));
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void theLastFenceIsHandedOut() {
    contents.put(COUNTER, "899999999999999", RedisContents.NEVER);
    try (LogCapture log = new LogCapture()) {
      assertThat(take(locks, "k", TTL).fence()).isEqualTo(Fence.of(Fence.MAX));
      assertThat(log.warnings()).hasSize(1);
    }
    assertThat(contents.values()).containsEntry(COUNTER, "900000000000000");
  }

  @Test
  void fencesNearTheirEndAreWarnedOf() {
    contents.put(COUNTER, "89999999999999", RedisContents.NEVER);
    try (LogCapture log = new LogCapture()) {
      take(locks, "k", TTL).close();
      assertThat(log.warnings()).isEmpty();
      take(locks, "k", TTL).close();
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("090000000000001", KeyHash.of("k"));
    }
  }

  @Test
  void countedFencesGoUpByOneAndBeginAgainWhenRedisLosesThem() {
    for (long expected = 1; expected <= 3; expected++) {
      try (LockHandle lock = take(locks, "k", TTL)) {
        assertThat(lock.fence().toLong()).isEqualTo(expected);
      }
    }
    server.command("FLUSHALL");
    assertThat(take(locks, "k", TTL).fence().toLong()).isEqualTo(1);
  }

  @Test
  void fencesThatSurviveGoOnIncreasingWhenRedisLosesThem() {
    long last = 0;
    for (int i = 0; i < 5; i++) {
      long before = contents.nowMs();
      Granted granted = (Granted) acquire(surviving, "k", LockId.random());
      assertThat(granted.fence().toLong()).isGreaterThan(last).isBetween(before, before + 60_000);
      assertThat(contents.values()).containsEntry(COUNTER, "" + granted.fence().toLong());
      assertThat(contents.all().get(COUNTER).expiresAtMs()).isEqualTo(RedisContents.NEVER);
      last = granted.fence().toLong();
      awaitServerTimeAfter(last);
      server.command("FLUSHALL");
    }
  }

  @Test
  void fencesThatSurviveNeverFallBehindACounterThatIsAheadOfTheClock() {
    contents.put(COUNTER, "80000000000000", RedisContents.NEVER);
    Granted granted = (Granted) acquire(surviving, "k", LockId.random());
    assertThat(granted.fence().toLong()).isEqualTo(80_000_000_000_001L);
  }

  private void awaitServerTimeAfter(long ms) {
    while (contents.nowMs() <= ms) {
      Thread.onSpinWait();
    }
  }
}
