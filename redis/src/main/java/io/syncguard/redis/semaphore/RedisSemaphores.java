package io.syncguard.redis.semaphore;

import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.RedisScan;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.Scan;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The semaphore operations, each one script, each one round trip on a shared connection. */
public final class RedisSemaphores implements SemaphoreBackend {

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private final SlotWaiters waiters;

  /** Asks nothing yet. */
  public RedisSemaphores(Connections connections, SemaphoreLayout layout, ScriptRunner runner) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.waiters = new SlotWaiters(connections, layout, runner);
  }

  @Override
  public Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
    return connections.tellsOfChanges()
        ? Optional.of(waiters.watch(waiter, hints))
        : Optional.empty();
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(SemaphoreOperation.Acquire acquire, Call call) {
    SlotWaiter waiter = acquire.watched() ? waiters.of(acquire.permit().id()) : null;
    if (waiter != null) {
      waiter.asks(acquire.ttl());
    }
    return runSettled(
        new ScriptCall(
            RedisScript.SEMAPHORE_ACQUIRE,
            layout.keys(acquire.permit().name()),
            layout.arguments(acquire)),
        answer -> {
          PermitAttempt attempt = SemaphoreAnswers.attempt(answer);
          if (waiter != null && attempt instanceof PermitAttempt.Waiting) {
            waiters.queued(waiter);
          }
          return attempt;
        },
        acquire,
        call);
  }

  /** Runs a script, and again while there is more to settle than it does at a time. */
  private <T> CompletionStage<T> runSettled(
      ScriptCall script, Function<@Nullable Object, T> reading, Operation<?> operation, Call call) {
    return runner
        .run(
            script,
            answer ->
                SemaphoreAnswers.isAgain(answer)
                    ? Optional.<T>empty()
                    : Optional.of(reading.apply(answer)),
            operation.subject(),
            call)
        .thenCompose(
            settled ->
                settled.isPresent()
                    ? CompletableFuture.completedFuture(settled.get())
                    : runSettled(script, reading, operation, call));
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(
      SemaphoreOperation.Release release, Call call) {
    PermitReference permit = release.permit();
    return runner.run(
        new ScriptCall(
            RedisScript.SEMAPHORE_RELEASE,
            layout.keys(permit.name()),
            List.of(layout.member(permit.id()))),
        answer -> {
          SemaphoreAnswers.grants(answer).forEach(waiters::granted);
          return SemaphoreAnswers.released(answer);
        },
        permit.subject(),
        call);
  }

  @Override
  public CompletionStage<PermitState> confirm(SemaphoreOperation.Confirm confirm, Call call) {
    return runner.run(
        new ScriptCall(
            RedisScript.SEMAPHORE_CONFIRM,
            layout.keys(confirm.permit().name()),
            layout.arguments(confirm)),
        SemaphoreAnswers::confirmed,
        confirm.subject(),
        call);
  }

  @Override
  public CompletionStage<List<PermitState>> ping(SemaphoreOperation.Ping ping, Call call) {
    List<String> arguments = new ArrayList<>();
    arguments.add(Long.toString(ping.timeout().toMillis()));
    ping.permits().stream().map(layout::member).forEach(arguments::add);
    return runner.run(
        new ScriptCall(RedisScript.SEMAPHORE_PING, layout.keys(ping.name()), arguments),
        answer -> {
          if (SemaphoreAnswers.leftMore(answer)) {
            settleOn(ping);
          }
          return SemaphoreAnswers.states(answer);
        },
        ping.subject(),
        call);
  }

  /** Has Redis settle what one step did not, in steps between which it serves others. */
  private void settleOn(SemaphoreOperation.Ping ping) {
    Connections.letEnd(
        ping(new SemaphoreOperation.Ping(ping.name(), List.of(), ping.timeout()), Call.plain()));
  }

  @Override
  public CompletionStage<Boolean> resize(SemaphoreOperation.Resize resize, Call call) {
    return runSettled(
        new ScriptCall(
            RedisScript.SEMAPHORE_RESIZE,
            layout.keys(resize.name()),
            List.of(Integer.toString(resize.limit()))),
        answer -> String.valueOf(answer).equals("1"),
        resize,
        call.within(runner.timeout()));
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(
      SemaphoreOperation.Stats question, Call call) {
    return runner.run(
        new ScriptCall(RedisScript.SEMAPHORE_CARD, layout.keys(question.name()), List.of()),
        answer -> SemaphoreAnswers.counted(question.name(), answer),
        question.subject(),
        call);
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(
      SemaphoreOperation.AllStats question, Call call) {
    return collect(newScan(), new TreeMap<>(), call)
        .thenApply(found -> List.copyOf(found.values()));
  }

  private static CompletionStage<Map<String, SemaphoreStats>> collect(
      RedisScan<SemaphoreStats> scan, Map<String, SemaphoreStats> found, Call call) {
    return scan.nextAsync(call)
        .thenCompose(
            page -> {
              if (page.isEmpty()) {
                return CompletableFuture.completedFuture(found);
              }
              page.get().forEach(stats -> found.put(stats.name(), stats));
              return collect(scan, found, call);
            });
  }

  /** Returns at once a walk through the semaphores in use. */
  public Scan<SemaphoreStats> scan() {
    return newScan();
  }

  private RedisScan<SemaphoreStats> newScan() {
    return new RedisScan<>(
        connections,
        runner.timeout(),
        layout.pattern(),
        (maxKey, call) -> stats(new SemaphoreOperation.Stats(layout.nameIn(maxKey)), call));
  }

  /** Blocks while Redis forgets waiters that left, but not for long: what stays does no harm. */
  public void close() {
    waiters.close();
  }
}
