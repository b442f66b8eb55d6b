package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Rounds;
import java.time.Duration;

/** How much to measure. */
final class Plans {

  static final Rounds.Plan FULL = new Rounds.Plan(4, 15, Duration.ofMillis(500));
  static final Rounds.Plan QUICK = new Rounds.Plan(3, 7, Duration.ofMillis(250));

  private Plans() {}
}
