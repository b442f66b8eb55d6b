package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.limit.RateDecision;
import io.syncguard.limit.RateDecision.Allowed;
import io.syncguard.limit.RateDecision.Limited;
import io.syncguard.limit.RateLimiter;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.history.RateHistory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rate plus the burst and no more. */
public interface RateLimiterSuite extends LimitSuite {

  @Test
  default void aBurstIsAllowedAtOnceAndThenOneAnInterval() {
    String name = newName();
    RateLimiter limiter = guard().rateLimiter(name, 1, LONG, 3);
    RateLimiter other = otherGuard().rateLimiter(name, 1, LONG, 3);
    assertThat(limiter.tryAcquire()).isEqualTo(new Allowed());
    assertThat(other.tryAcquire()).isEqualTo(new Allowed());
    assertThat(limiter.tryAcquire()).isEqualTo(new Allowed());
    assertThat(retryAfter(limiter.tryAcquire())).isBetween(LONG.dividedBy(2), LONG);
    assertThat(retryAfter(other.tryAcquire(2))).isBetween(LONG, LONG.multipliedBy(2));
  }

  @Test
  default void permitsAreHadAllOrNone() {
    RateLimiter limiter = guard().rateLimiter(newName(), 1, LONG, 5);
    assertThat(limiter.tryAcquire(3).isAllowed()).isTrue();
    assertThat(limiter.tryAcquire(3).isAllowed()).isFalse();
    assertThat(limiter.tryAcquire(2).isAllowed()).isTrue();
    assertThat(limiter.tryAcquire(1).isAllowed()).isFalse();
  }

  @Test
  default void itIsAllowedAfterTheTimeThatWasNamed() throws Exception {
    RateLimiter limiter = guard().rateLimiter(newName(), 5, Duration.ofSeconds(1), 1);
    limiter.tryAcquire();
    RateDecision decision = limiter.tryAcquire();
    while (decision instanceof Limited limited) {
      assertThat(limited.retryAfter()).isBetween(Duration.ofNanos(1), Duration.ofMillis(200));
      fixture().passTime(limited.retryAfter().plusMillis(1));
      decision = limiter.tryAcquire();
    }
    assertThat(decision.isAllowed()).isTrue();
  }

  @Test
  default void afterAPauseThereIsOneBurstAndNotMore() throws Exception {
    RateLimiter limiter = guard().rateLimiter(newName(), 1, LONG, 2);
    limiter.tryAcquire(2);
    RateLimiter soon = guard().rateLimiter(newName(), 10, Duration.ofSeconds(1), 1);
    soon.tryAcquire();
    fixture().passTime(Duration.ofMillis(500));
    assertThat(limiter.tryAcquire().isAllowed()).isFalse();
    eventually(() -> assertThat(soon.tryAcquire().isAllowed()).isTrue());
  }

  /** As a clock that is set back leaves it; here a larger burst does. */
  @Test
  default void aTimeFarAheadLocksNobodyOutForLongerThanTheBurst() throws Exception {
    String name = newName();
    guard().rateLimiter(name, 1, LONG, 5).tryAcquire(5);
    RateLimiter limiter = guard().rateLimiter(name, 10, Duration.ofSeconds(1), 1);
    assertThat(limiter.tryAcquire().isAllowed()).isFalse();
    eventually(() -> assertThat(limiter.tryAcquire().isAllowed()).isTrue());
  }

  @Test
  default void ratesAndPermitsThatCannotBeAreRefused() {
    String name = newName();
    assertFails(Code.INVALID_ARGUMENT, () -> guard().rateLimiter(name, 0, LONG, 1));
    assertFails(Code.INVALID_ARGUMENT, () -> guard().rateLimiter(name, 1, Duration.ZERO, 1));
    assertFails(Code.INVALID_ARGUMENT, () -> guard().rateLimiter(name, 1, LONG, 0));
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> guard().rateLimiter(name, 1_000_001, Duration.ofSeconds(1), 1));
    assertFails(Code.INVALID_ARGUMENT, () -> guard().rateLimiter(name, 1, Duration.ofDays(1), 31));
    assertFails(Code.INVALID_ARGUMENT, () -> guard().rateLimiter("", 1, LONG, 1));
    RateLimiter limiter = guard().rateLimiter(name, 1, LONG, 2);
    assertFails(Code.INVALID_ARGUMENT, () -> limiter.tryAcquire(0));
    assertFails(Code.INVALID_ARGUMENT, () -> limiter.tryAcquire(3));
    assertFails(Code.INVALID_ARGUMENT, () -> join(limiter.async().tryAcquire(3)));
    assertThat(limiter.tryAcquire(2).isAllowed()).isTrue();
  }

  @Test
  default void theLongestAndTheFastestLimitersWork() {
    RateLimiter slow = guard().rateLimiter(newName(), 1, Duration.ofDays(30), 1);
    assertThat(slow.tryAcquire().isAllowed()).isTrue();
    assertThat(retryAfter(slow.tryAcquire())).isBetween(Duration.ofDays(29), Duration.ofDays(30));
    RateLimiter fast = guard().rateLimiter(newName(), 1_000_000, Duration.ofSeconds(1), 10);
    assertThat(fast.tryAcquire(10).isAllowed()).isTrue();
    RateLimiter large = guard().rateLimiter(newName(), 1000, Duration.ofDays(30), 1000);
    assertThat(large.tryAcquire(1000).isAllowed()).isTrue();
    assertThat(retryAfter(large.tryAcquire(1000)))
        .isBetween(Duration.ofDays(29), Duration.ofDays(30));
  }

  @Test
  default void ofManyAtTheSameTimeExactlyTheBurstIsAllowed() throws Exception {
    RateLimiter limiter = guard().rateLimiter(newName(), 1, LONG, 200);
    List<Integer> allowed =
        StoreSuite.together(
            8,
            () -> {
              int mine = 0;
              while (limiter.tryAcquire().isAllowed()) {
                mine++;
              }
              return mine;
            });
    assertThat(allowed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(200);
  }

  @Test
  default void inNoWindowAreThereMoreThanTheRateAndTheBurst() throws Exception {
    RateHistory history = new RateHistory();
    RateLimiter limiter = guard().rateLimiter(newName(), 3000, Duration.ofSeconds(1), 20);
    StoreSuite.together(
        4,
        () -> {
          for (int i = 0; i < 500; i++) {
            long before = System.nanoTime();
            if (limiter.tryAcquire().isAllowed()) {
              history.allowed(before, System.nanoTime());
            }
          }
          return 0;
        });
    assertThat(history.size()).isGreaterThanOrEqualTo(20);
    history.check(Duration.ofSeconds(1).dividedBy(3000), 20);
  }

  private static Duration retryAfter(RateDecision decision) {
    assertThat(decision).isInstanceOf(Limited.class);
    return ((Limited) decision).retryAfter();
  }
}
