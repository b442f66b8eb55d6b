package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.AsyncLimitBackend;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Counters and rate limiters in a table each. Each operation is one script, and what it answers is
 * the outcome. What a crash may undo lets nobody exceed a counter's limit.
 */
final class SqlLimits implements LimitBackend {

  private final ScriptRunner runner;
  private final LimitScripts scripts;
  private final AsyncLimitBackend async;

  SqlLimits(ScriptRunner runner, LimitScripts scripts, Workers workers) {
    this.runner = runner;
    this.scripts = scripts;
    this.async = AsyncLimitBackend.of(this, workers, workers.patience());
  }

  @Override
  public AsyncLimitBackend async() {
    return async;
  }

  @Override
  public CounterResult increment(CountRequest request, CancelSignal signal) {
    Call call = call(request.key(), signal);
    return call.answered(
        runner.run(
            ScriptRunner.Effect.WRITE,
            scripts.increment(),
            Map.of(
                "key",
                request.key().value(),
                "max",
                request.max(),
                "window_ms",
                request.window().toMillis()),
            call,
            row -> counted(row, request.max(), call)));
  }

  private static CounterResult counted(ResultSet row, long max, Call call) throws SQLException {
    long count = row.getLong("counted");
    if (row.wasNull()) {
      throw damaged(call);
    }
    Instant resetAt = Instant.ofEpochMilli(row.getLong("resets_at_ms"));
    return count == 0
        ? new CounterResult.LimitReached(resetAt)
        : new CounterResult.Counted(count, max - count, resetAt);
  }

  @Override
  public Optional<CounterState> current(ResourceKey key, CancelSignal signal) {
    Call call = call(key, signal);
    Optional<CounterState> found =
        runner.run(
            ScriptRunner.Effect.READ,
            scripts.current(),
            Map.of("key", key.value()),
            call,
            row -> state(row, call));
    return found == null ? Optional.empty() : found;
  }

  private static Optional<CounterState> state(ResultSet row, Call call) throws SQLException {
    long count = row.getLong("count");
    if (count < 0 || count > Counters.MOST) {
      throw damaged(call);
    }
    return resetAt(row).filter(end -> count > 0).map(end -> new CounterState(count, end));
  }

  @Override
  public boolean reset(ResourceKey key, CancelSignal signal) {
    Boolean ended =
        runner.run(
            ScriptRunner.Effect.RELAXED_WRITE,
            scripts.reset(),
            Map.of("key", key.value()),
            call(key, signal),
            row -> resetAt(row).isPresent());
    return ended != null && ended;
  }

  /** Returns when a window ends, if that is not over. */
  private static Optional<Instant> resetAt(ResultSet row) throws SQLException {
    long resetsAtMs = row.getLong("resets_at_ms");
    if (row.wasNull()) {
      return Optional.of(Instant.MAX);
    }
    return resetsAtMs > row.getLong("now_ms")
        ? Optional.of(Instant.ofEpochMilli(resetsAtMs))
        : Optional.empty();
  }

  @Override
  public RateDecision acquire(RateRequest request, CancelSignal signal) {
    Call call = Call.of(request.context(), signal).within(request.timeout());
    return call.answered(
        runner.run(
            ScriptRunner.Effect.RELAXED_WRITE,
            scripts.acquire(),
            Map.of(
                "name",
                request.name().value(),
                "cost_ns",
                request.cost().toNanos(),
                "burst_ns",
                request.burst().toNanos()),
            call,
            row -> decision(row.getLong("wait_ns"))));
  }

  private static RateDecision decision(long waitNanos) {
    return waitNanos == 0
        ? new RateDecision.Allowed()
        : new RateDecision.Limited(Duration.ofNanos(waitNanos));
  }

  private static Call call(ResourceKey key, CancelSignal signal) {
    return Call.of(key.value(), null, signal);
  }

  private static SyncGuardException damaged(Call call) {
    return call.failure(
        Code.INTERNAL, "A counter in the database is damaged; nothing was changed", null);
  }
}
