package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AsyncSemaphoreBackend;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Semaphores in two tables. Each operation is one script, and what it answers is the outcome. What
 * a crash must not undo is the scripts' affair: no effect is asked for beyond that of a write.
 */
final class SqlSemaphores implements SemaphoreBackend {

  private static final String NOBODY = "";

  private final ScriptRunner runner;
  private final SemaphoreScripts scripts;
  private final Waiting waiting;
  private final AsyncSemaphoreBackend async;

  SqlSemaphores(ScriptRunner runner, SemaphoreScripts scripts, Waiting waiting, Workers workers) {
    this.runner = runner;
    this.scripts = scripts;
    this.waiting = waiting;
    this.async = AsyncSemaphoreBackend.of(this, workers, workers.patience());
  }

  @Override
  public AsyncSemaphoreBackend async() {
    return async;
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", request.permit().name().value());
    parameters.put("id", request.permit().id().value());
    parameters.put("limit", request.limit());
    parameters.put("ttl_ms", request.ttl().toMillis());
    parameters.put("timeout_ms", request.heartbeatTimeout().toMillis());
    parameters.put("waits", request.waits() ? 1 : 0);
    parameters.put("channel", request.watched() ? waiting.channel() : Waiting.NO_CHANNEL);
    Call call = Call.of(request.permit().context(), signal).within(request.timeout());
    return call.answered(
        write(scripts.acquire(), parameters, call, row -> SemaphoreRows.attempt(row, call)));
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    PermitReleaseResult result =
        write(
            scripts.release(),
            Map.of(
                "name",
                permit.name().value(),
                "id",
                permit.id().value(),
                "leaving",
                permit.id().value()),
            Call.ofRelease(permit.context(), timeout),
            SemaphoreRows::released);
    return result == null ? PermitReleaseResult.NOT_FOUND : result;
  }

  @Override
  public List<PermitState> ping(Heartbeat heartbeat) {
    Call call = call(heartbeat.name(), CancelSignal.never());
    return call.answered(
        write(
            scripts.ping(),
            Map.of(
                "name",
                heartbeat.name().value(),
                "ids",
                jsonArray(heartbeat.permits()),
                "timeout_ms",
                heartbeat.timeout().toMillis()),
            call,
            SemaphoreRows::states));
  }

  /** An id has no character that JSON would want escaped. */
  private static String jsonArray(List<PermitId> ids) {
    return ids.stream()
        .map(id -> '"' + id.value() + '"')
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public boolean resize(ResourceKey name, int limit, CancelSignal signal) {
    Boolean resized =
        write(
            scripts.resize(),
            Map.of("name", name.value(), "limit", limit),
            call(name, signal),
            row -> true);
    return resized != null;
  }

  @Override
  public Optional<SemaphoreStats> stats(ResourceKey name, CancelSignal signal) {
    return Optional.ofNullable(
        runner.run(
            ScriptRunner.Effect.READ,
            scripts.stats(),
            Map.of("name", name.value()),
            call(name, signal),
            SemaphoreRows::stats));
  }

  @Override
  public List<SemaphoreStats> stats(CancelSignal signal) {
    List<SemaphoreStats> inUse = new ArrayList<>();
    Scan<SemaphoreStats> scan = scan();
    for (Optional<List<SemaphoreStats>> page = scan.next(signal);
        page.isPresent();
        page = scan.next(signal)) {
      inUse.addAll(page.get());
    }
    return inUse;
  }

  Scan<SemaphoreStats> scan() {
    return new KeysetScan<>(
        (after, signal) ->
            runner.run(
                ScriptRunner.Effect.READ,
                scripts.allStats(),
                Map.of("after", after, "batch", KeysetScan.ROWS_AT_A_TIME),
                Call.of(null, null, signal),
                SemaphoreRows::page));
  }

  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    Optional<LockWatch> watch = waiting.watch(waiter.id().value(), hint);
    return watch.map(open -> open::close);
  }

  private <T> @Nullable T write(
      Script script, Map<String, Object> parameters, Call call, ScriptRunner.RowReader<T> reader) {
    Map<String, Object> complete = new HashMap<>(parameters);
    complete.putIfAbsent("leaving", NOBODY);
    return runner.run(ScriptRunner.Effect.RELAXED_WRITE, script, complete, call, reader);
  }

  private static Call call(ResourceKey name, CancelSignal signal) {
    return Call.of(name.value(), null, signal);
  }
}
