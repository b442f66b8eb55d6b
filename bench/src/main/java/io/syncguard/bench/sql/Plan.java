package io.syncguard.bench.sql;

import java.time.Duration;

/**
 * How much to measure.
 *
 * @param warmUps rounds that are thrown away
 * @param rounds rounds that count
 * @param slice how long one contestant works in one round
 */
record Plan(int warmUps, int rounds, Duration slice) {

  static final Plan FULL = new Plan(4, 15, Duration.ofMillis(500));
  static final Plan QUICK = new Plan(3, 7, Duration.ofMillis(250));
}
