package io.syncguard.bench.redis.limit;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.redis.Server;
import io.syncguard.testkit.history.RateHistory;
import io.syncguard.testkit.process.RateRace;

/** Asks one rate limiter a million times from two processes and checks every window. */
public final class RateProof {

  private static final RateRace RACE = new RateRace(5000, 100, 2, 16, 1_000_000);

  private RateProof() {}

  /** Blocks for a minute or two; fails if in any window more was allowed than may be. */
  public static void main(String[] args) {
    try (Server server = Server.start()) {
      long startedAt = System.nanoTime();
      RateHistory history = RACE.run(server.uri());
      Figures.say(
          "%d of %d calls allowed in %.1f s; in no window more than %d per second and %d at once.",
          history.size(),
          RACE.calls(),
          (System.nanoTime() - startedAt) / 1e9,
          RACE.permits(),
          RACE.burst());
    }
  }
}
