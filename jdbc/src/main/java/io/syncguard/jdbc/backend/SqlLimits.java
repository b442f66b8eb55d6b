package io.syncguard.jdbc.backend;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Call;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.limit.LimitOperation;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Counters and rate limiters in a table each. Each operation is one script, and what it answers is
 * the outcome.
 */
public final class SqlLimits implements LimitBackend {

  private final ScriptRunner runner;
  private final LimitScripts scripts;

  public SqlLimits(ScriptRunner runner, LimitScripts scripts) {
    this.runner = runner;
    this.scripts = scripts;
  }

  @Override
  public CompletionStage<CounterResult> increment(LimitOperation.Increment increment, Call call) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("key", increment.key().value());
    parameters.put("max", increment.max());
    parameters.put("window_ms", increment.window().toMillis());
    SqlCall sqlCall = SqlCall.of(increment.subject(), call);
    return completedFuture(
        sqlCall.answered(
            runner.run(
                scripts.increment(),
                parameters,
                sqlCall,
                row -> counted(row, increment.max(), sqlCall))));
  }

  private static CounterResult counted(ResultSet row, long max, SqlCall call) throws SQLException {
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
  public CompletionStage<Optional<CounterState>> current(
      LimitOperation.Current question, Call call) {
    SqlCall sqlCall = SqlCall.of(question.subject(), call);
    Optional<CounterState> found =
        runner.run(
            scripts.current(),
            Map.of("key", question.key().value()),
            sqlCall,
            row -> state(row, sqlCall));
    return completedFuture(found == null ? Optional.empty() : found);
  }

  private static Optional<CounterState> state(ResultSet row, SqlCall call) throws SQLException {
    long count = row.getLong("count");
    if (count < 0 || count > Counters.MOST) {
      throw damaged(call);
    }
    return resetAt(row).filter(end -> count > 0).map(end -> new CounterState(count, end));
  }

  @Override
  public CompletionStage<Boolean> reset(LimitOperation.Reset reset, Call call) {
    Boolean ended =
        runner.run(
            scripts.reset(),
            Map.of("key", reset.key().value()),
            SqlCall.of(reset.subject(), call),
            row -> resetAt(row).isPresent());
    return completedFuture(ended != null && ended);
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
  public CompletionStage<RateDecision> take(LimitOperation.Take take, Call call) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", take.name().value());
    parameters.put("cost_ns", take.cost().toNanos());
    parameters.put("burst_ns", take.burst().toNanos());
    SqlCall sqlCall = SqlCall.of(take.subject(), call);
    return completedFuture(
        sqlCall.answered(
            runner.run(
                scripts.acquire(), parameters, sqlCall, row -> decision(row.getLong("wait_ns")))));
  }

  private static RateDecision decision(long waitNanos) {
    return waitNanos == 0
        ? new RateDecision.Allowed()
        : new RateDecision.Limited(Duration.ofNanos(waitNanos));
  }

  private static SyncGuardException damaged(SqlCall call) {
    return call.failure(
        Code.INTERNAL, "A counter in the database is damaged; nothing was changed", null);
  }
}
