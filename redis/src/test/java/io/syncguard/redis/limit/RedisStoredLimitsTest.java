package io.syncguard.redis.limit;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterResult.Counted;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.limit.RateDecision;
import io.syncguard.limit.RateDecision.Limited;
import io.syncguard.limit.RateLimiter;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.testkit.server.RedisErrorException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Redis holds of counters and rate limiters, and what becomes of those no client wrote. */
class RedisStoredLimitsTest extends OnOneRedis {

  private static final String COUNTER = "syncguard:id:count:k";
  private static final String LIMITER = "syncguard:id:rate:k";

  private Counters counters;
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    counters = guard.counters();
    limiter = guard.rateLimiter("k", 1, Duration.ofMinutes(1), 2);
  }

  /** As Blindrop counts. */
  private static final String PLAIN_INCREMENT =
      """
      local current = redis.call('GET', KEYS[1])
      if current and tonumber(current) >= tonumber(ARGV[1]) then
        return -1
      end
      local count = redis.call('INCR', KEYS[1])
      if count == 1 then
        redis.call('EXPIRE', KEYS[1], ARGV[2])
      end
      return count
      """;

  @Test
  void aCounterIsAStringThatExpiresWithItsWindow() {
    long end = counters.increment("k", 5, TTL).resetAt().toEpochMilli();
    counters.increment("k", 5, TTL);
    assertThat(contents.all())
        .containsOnly(entry(COUNTER, new RedisContents.Entry("string", "2:" + end, end)));
  }

  @Test
  void aCounterFoundWithoutAnEndGetsOne() {
    server.command("SET", COUNTER, "5");
    assertThat(counters.current("k")).contains(new CounterState(5, Instant.MAX));

    CounterResult result = counters.increment("k", 10, TTL);

    long end = result.resetAt().toEpochMilli();
    assertThat(result).isEqualTo(new Counted(6, 4, result.resetAt()));
    assertThat(contents.all().get(COUNTER).expiresAtMs()).isEqualTo(end);
    server.command("PERSIST", COUNTER);
    assertThat(counters.increment("k", 10, TTL).resetAt().toEpochMilli()).isEqualTo(end);
    assertThat(contents.all().get(COUNTER).expiresAtMs()).isEqualTo(end);
  }

  @Test
  void aFullCounterFoundWithoutAnEndGetsOneToo() {
    server.command("SET", COUNTER, "10");
    CounterResult result = counters.increment("k", 10, TTL);
    assertThat(result.isCounted()).isFalse();
    assertThat(contents.all().get(COUNTER).expiresAtMs())
        .isEqualTo(result.resetAt().toEpochMilli());
    assertThat(counters.increment("k", 10, Duration.ofDays(1))).isEqualTo(result);
  }

  @Test
  void aCounterOfAnotherClientsKeepsTheEndThatItsKeyHas() {
    server.command("SET", COUNTER, "5", "PX", "600000");
    assertThat(counters.increment("k", 10, Duration.ofDays(9)).resetAt().toEpochMilli())
        .isBetween(contents.nowMs(), contents.nowMs() + 700_000);
  }

  /** The guide says so: a counter that SyncGuard has counted is SyncGuard's alone. */
  @Test
  void theScriptOfOtherClientsFailsOnACounterOfSyncGuardAndChangesNothing() {
    server.command("SET", COUNTER, "5", "PX", "600000");
    counters.increment("k", 10, TTL);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThatThrownBy(() -> server.command("EVAL", PLAIN_INCREMENT, "1", COUNTER, "10", "60"))
        .isInstanceOf(RedisErrorException.class);
    assertThatThrownBy(() -> server.command("INCR", COUNTER))
        .isInstanceOf(RedisErrorException.class);
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void aWindowThatIsOverIsOverAlsoIfTheKeyIsNot() {
    server.command("SET", COUNTER, "10:" + contents.nowMs());
    assertThat(counters.current("k")).isEmpty();
    assertThat(counters.increment("k", 10, TTL)).isInstanceOf(Counted.class);
    assertThat(contents.values().get(COUNTER)).startsWith("1:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "abc", "1.5", "1e3", "1:2:3", "1:", ":1", "9007199254740992"})
  void aDamagedCounterIsRefusedAndStaysAsItIs(String value) {
    server.command("SET", COUNTER, value);
    assertFails(Code.INTERNAL, () -> counters.increment("k", 10, TTL));
    assertFails(Code.INTERNAL, () -> counters.current("k"));
    assertThat(server.command("GET", COUNTER)).isEqualTo(value);
    assertThat(server.command("PTTL", COUNTER)).isEqualTo(-1L);
    assertThat(counters.reset("k")).isTrue();
  }

  @Test
  void aLimiterIsAStringThatExpiresWhenItIsIdle() {
    limiter.tryAcquire();
    RedisContents.Entry stored = contents.all().get(LIMITER);
    assertThat(stored.value()).matches("\\d{10}\\.\\d{9}");
    long idleAtMs = (long) (Double.parseDouble(stored.value()) * 1000);
    assertThat(stored.expiresAtMs()).isBetween(idleAtMs - 10_000, idleAtMs + 10_000);
    assertThat(server.command("DBSIZE")).isEqualTo(1L);
  }

  @Test
  void aRefusalWritesNothing() {
    limiter.tryAcquire(2);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(limiter.tryAcquire().isAllowed()).isFalse();
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void aClockThatWasSetBackLocksNoClientOutForLongerThanTheBurst() {
    server.command("SET", LIMITER, (contents.nowMs() / 1000 + 1_000_000) + ".000000000");
    RateDecision decision = limiter.tryAcquire();
    assertThat(decision).isEqualTo(new Limited(Duration.ofMinutes(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1.5", "-1.000000000", "abc", "1.0000000000"})
  void aDamagedLimiterIsRefusedAndStaysAsItIs(String value) {
    server.command("SET", LIMITER, value);
    assertFails(Code.INTERNAL, limiter::tryAcquire);
    assertThat(server.command("GET", LIMITER)).isEqualTo(value);
  }
}
