package io.syncguard.bench.handoff;

import java.time.Duration;

/**
 * How much to measure.
 *
 * @param warmUp for how long each contender contends before
 * @param rounds rounds that count
 * @param slice how long one contender contends in one round
 */
record HandOffPlan(Duration warmUp, int rounds, Duration slice) {

  static final HandOffPlan FULL = new HandOffPlan(Duration.ofSeconds(8), 5, Duration.ofSeconds(4));
  static final HandOffPlan QUICK =
      new HandOffPlan(Duration.ofSeconds(3), 2, Duration.ofMillis(1500));
}
