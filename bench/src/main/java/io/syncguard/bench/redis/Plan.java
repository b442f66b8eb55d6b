package io.syncguard.bench.redis;

import java.time.Duration;

/**
 * How much to measure.
 *
 * @param warmUps rounds that are thrown away
 * @param rounds rounds that count
 * @param slice how long one contestant works in one round
 * @param contendedRounds rounds of the contended part that count
 * @param contendedSlice how long the threads contend for the key in one round
 */
public record Plan(
    int warmUps, int rounds, Duration slice, int contendedRounds, Duration contendedSlice) {

  public static final Plan FULL = new Plan(6, 21, Duration.ofMillis(400), 7, Duration.ofSeconds(4));
  public static final Plan QUICK =
      new Plan(4, 5, Duration.ofMillis(200), 2, Duration.ofMillis(1500));
}
