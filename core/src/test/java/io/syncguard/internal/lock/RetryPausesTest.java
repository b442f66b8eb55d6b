package io.syncguard.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RetryPausesTest {

  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final int[] RETRIES = {0, 1, 2, 9, 30, 61, 62, 63, 64, 65, 127, 1000};

  static Stream<Arguments> delaysBackoffsAndJitters() {
    return Stream.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(3),
            Duration.ofMillis(100),
            Duration.ofDays(36_500),
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE))
        .flatMap(
            delay ->
                Arrays.stream(Backoff.values())
                    .flatMap(
                        backoff ->
                            Arrays.stream(Jitter.values())
                                .map(jitter -> Arguments.of(delay, backoff, jitter))));
  }

  @ParameterizedTest
  @MethodSource("delaysBackoffsAndJitters")
  void everyPauseIsWithinItsBounds(Duration delay, Backoff backoff, Jitter jitter) {
    RetryPolicy policy =
        RetryPolicy.defaults()
            .withMaxRetries(10)
            .withDelay(delay)
            .withBackoff(backoff)
            .withJitter(jitter);
    SplittableRandom random = new SplittableRandom(42);
    for (int retry : RETRIES) {
      BigInteger whole = wholePause(delay, backoff, retry);
      BigInteger least =
          switch (jitter) {
            case NONE -> whole;
            case EQUAL -> whole.shiftRight(1);
            case FULL -> BigInteger.ZERO;
          };
      for (int i = 0; i < 100; i++) {
        assertThat(BigInteger.valueOf(RetryPauses.nanosBefore(retry, policy, random)))
            .as("retry %s", retry)
            .isBetween(least, isNearlyTheMost(whole) ? MOST : whole);
      }
    }
  }

  private static BigInteger wholePause(Duration delay, Backoff backoff, int retry) {
    BigInteger nanos =
        BigInteger.valueOf(delay.getSeconds())
            .multiply(BigInteger.valueOf(1_000_000_000))
            .add(BigInteger.valueOf(delay.getNano()));
    BigInteger longest = nanos.max(BigInteger.valueOf(5_000_000_000L));
    return (backoff == Backoff.EXPONENTIAL ? nanos.shiftLeft(retry).min(longest) : nanos).min(MOST);
  }

  /** Within one doubling of the most a long holds, that is, of 292 years, it may saturate. */
  private static boolean isNearlyTheMost(BigInteger nanos) {
    return nanos.bitLength() >= 63;
  }

  @Test
  void aPauseDoublesUpToFiveSecondsAndNeverBecomesShorter() {
    RetryPolicy policy = policy(Backoff.EXPONENTIAL, Jitter.NONE);
    long before = 0;
    for (int retry = 0; retry <= 1000; retry++) {
      long pause = RetryPauses.nanosBefore(retry, policy, new SplittableRandom(1));
      assertThat(pause).as("retry %s", retry).isPositive().isGreaterThanOrEqualTo(before);
      before = pause;
    }
    assertThat(RetryPauses.nanosBefore(3, policy, new SplittableRandom(1))).isEqualTo(800_000_000);
    assertThat(before).isEqualTo(5_000_000_000L);
  }

  @Test
  void aFixedPauseStaysTheSame() {
    RetryPolicy policy = policy(Backoff.FIXED, Jitter.NONE);

    assertThat(
            Arrays.stream(RETRIES)
                .mapToLong(r -> RetryPauses.nanosBefore(r, policy, new SplittableRandom(1))))
        .containsOnly(100_000_000L);
  }

  @Test
  void equalJitterLeavesTheUpperHalfToChance() {
    assertThat(draw(policy(Backoff.FIXED, Jitter.EQUAL)).summaryStatistics())
        .satisfies(
            s -> {
              assertThat(s.getMin()).isBetween(50_000_000L, 51_000_000L);
              assertThat(s.getMax()).isBetween(99_000_000L, 100_000_000L);
            });
  }

  @Test
  void fullJitterLeavesAllToChance() {
    assertThat(draw(policy(Backoff.FIXED, Jitter.FULL)).summaryStatistics())
        .satisfies(
            s -> {
              assertThat(s.getMin()).isBetween(0L, 1_000_000L);
              assertThat(s.getMax()).isBetween(99_000_000L, 100_000_000L);
            });
  }

  private static LongStream draw(RetryPolicy policy) {
    SplittableRandom random = new SplittableRandom(3);
    return LongStream.generate(() -> RetryPauses.nanosBefore(0, policy, random)).limit(10_000);
  }

  private static RetryPolicy policy(Backoff backoff, Jitter jitter) {
    return RetryPolicy.defaults()
        .withMaxRetries(10)
        .withDelay(Duration.ofMillis(100))
        .withBackoff(backoff)
        .withJitter(jitter);
  }
}
