package io.syncguard.bench.redis.limit;

import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.Server;
import io.syncguard.counter.Counters;
import java.time.Duration;

/** SyncGuard's counters and rate limiters, which never reach their limit here. */
final class SyncGuardLimits {

  private SyncGuardLimits() {}

  static Contestant counting(Server server) {
    SyncGuard guard = SyncGuard.open(server.uri());
    Counters counters = guard.counters();
    return new Limits(
        guard, key -> counters.increment(key, LimitReport.PLENTY, Duration.ofHours(1)).isCounted());
  }

  static Contestant limiting(Server server) {
    SyncGuard guard = SyncGuard.open(server.uri());
    return new Limits(
        guard,
        key ->
            guard
                .rateLimiter(key, LimitReport.PLENTY, Duration.ofSeconds(1), LimitReport.PLENTY)
                .tryAcquire()
                .isAllowed());
  }

  private interface Limit {

    boolean allows(String key);
  }

  private record Limits(SyncGuard guard, Limit limit) implements Contestant {

    @Override
    public void cycle(String key) {
      Contestant.require(limit.allows(key), "SyncGuard's limit");
    }

    @Override
    public void close() {
      guard.close();
    }
  }
}
