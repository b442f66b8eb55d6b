package io.syncguard.jdbc.backend;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.Subject;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.Scan;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Semaphores in two tables. Each operation is one script, and what it answers is the outcome. */
public final class SqlSemaphores implements SemaphoreBackend {

  /** Where a script asks for the permit that leaves: none does. */
  private static final String NONE_LEAVES = "";

  private final ScriptRunner runner;
  private final SemaphoreScripts scripts;
  private final Waiting waiting;

  public SqlSemaphores(ScriptRunner runner, SemaphoreScripts scripts, Waiting waiting) {
    this.runner = runner;
    this.scripts = scripts;
    this.waiting = waiting;
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(SemaphoreOperation.Acquire acquire, Call call) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", acquire.permit().name().value());
    parameters.put("id", acquire.permit().id().value());
    parameters.put("limit", acquire.limit());
    parameters.put("ttl_ms", acquire.ttl().toMillis());
    parameters.put("timeout_ms", acquire.heartbeatTimeout().toMillis());
    parameters.put("waits", acquire.waits() ? 1 : 0);
    parameters.put("channel", acquire.watched() ? waiting.channel() : Waiting.NO_CHANNEL);
    SqlCall sqlCall = SqlCall.of(acquire.subject(), call);
    PermitAttempt attempt =
        sqlCall.answered(
            write(
                scripts.acquire(),
                parameters,
                sqlCall,
                row -> SemaphoreRows.attempt(row, sqlCall)));
    if (attempt instanceof PermitAttempt.Waiting) {
      waiting.listen();
    }
    return completedFuture(attempt);
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(
      SemaphoreOperation.Release release, Call call) {
    String id = release.permit().id().value();
    PermitReleaseResult result =
        write(
            scripts.release(),
            Map.of("name", release.permit().name().value(), "id", id, "leaving", id),
            SqlCall.of(release.subject(), call),
            SemaphoreRows::released);
    return completedFuture(result == null ? PermitReleaseResult.NOT_FOUND : result);
  }

  @Override
  public CompletionStage<List<PermitState>> ping(SemaphoreOperation.Ping ping, Call call) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", ping.name().value());
    parameters.put("ids", ping.permits().stream().map(PermitId::value).collect(JsonArrays.ofIds()));
    parameters.put("timeout_ms", ping.timeout().toMillis());
    SqlCall sqlCall = SqlCall.of(ping.subject(), call);
    return completedFuture(
        sqlCall.answered(write(scripts.ping(), parameters, sqlCall, SemaphoreRows::states)));
  }

  @Override
  public CompletionStage<Boolean> resize(SemaphoreOperation.Resize resize, Call call) {
    Boolean resized =
        write(
            scripts.resize(),
            Map.of("name", resize.name().value(), "limit", resize.limit()),
            SqlCall.of(resize.subject(), call),
            row -> true);
    return completedFuture(resized != null);
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(
      SemaphoreOperation.Stats question, Call call) {
    return completedFuture(
        Optional.ofNullable(
            runner.run(
                scripts.stats(),
                Map.of("name", question.name().value()),
                SqlCall.of(question.subject(), call),
                SemaphoreRows::stats)));
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(
      SemaphoreOperation.AllStats question, Call call) {
    List<SemaphoreStats> inUse = new ArrayList<>();
    KeysetScan<SemaphoreStats> scan = keysetScan();
    for (Optional<List<SemaphoreStats>> page = scan.next(call);
        page.isPresent();
        page = scan.next(call)) {
      inUse.addAll(page.get());
    }
    return completedFuture(inUse);
  }

  public Scan<SemaphoreStats> scan() {
    return keysetScan();
  }

  private KeysetScan<SemaphoreStats> keysetScan() {
    return new KeysetScan<>(
        (after, call) ->
            runner.run(
                scripts.allStats(),
                Map.of("after", after, "batch", KeysetScan.ROWS_AT_A_TIME),
                SqlCall.of(Subject.NONE, call),
                SemaphoreRows::page));
  }

  @Override
  public Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
    return waiting.watch(waiter.id().value(), WaiterHints.looking(hints::look));
  }

  private <T> @Nullable T write(
      SqlScript script,
      Map<String, Object> parameters,
      SqlCall call,
      ScriptRunner.RowReader<T> reader) {
    Map<String, Object> complete = new HashMap<>(parameters);
    complete.putIfAbsent("leaving", NONE_LEAVES);
    return runner.run(script, complete, call, reader);
  }
}
