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
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.TimeSource;
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
  private final Heirs heirs = new Heirs();
  private final GrantListener listener;
  private final NoticedGrants grants;
  private final SlotReleases releases;

  /** Asks nothing yet. */
  public RedisSemaphores(Connections connections, SemaphoreLayout layout, ScriptRunner runner) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.listener =
        new GrantListener(connections, layout, runner, heirs::waits, TimeSource.system());
    this.grants = new NoticedGrants(connections, layout, runner, heirs, listener);
    this.releases = new SlotReleases(layout, runner, heirs, listener);
  }

  /**
   * A grant is published to this process, or pushed to the waiter's own list, and Redis tells the
   * tracked connection of that. A waiter that gets a slot at once needs neither.
   */
  @Override
  public Optional<Watch> watch(PermitReference waiter, Runnable hint) {
    return connections.tellsOfChanges()
        ? Optional.of(
            heirs.watch(
                waiter,
                hint,
                () -> connections.watch(layout.notification(waiter.name(), waiter.id()), hint)))
        : Optional.empty();
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(SemaphoreOperation.Acquire acquire, Call call) {
    Optional<PermitAttempt> inherited = heirs.inherited(acquire.permit().id());
    if (inherited.isPresent()) {
      return CompletableFuture.completedFuture(inherited.get());
    }
    Heir waiter = acquire.watched() ? heirs.of(acquire.permit().id()) : null;
    return waiter == null
        ? acquire(acquire, call, SemaphoreAnswers::attempt)
        : acquireFor(waiter, acquire, call);
  }

  private CompletionStage<PermitAttempt> acquireFor(
      Heir waiter, SemaphoreOperation.Acquire acquire, Call call) {
    long askedAt = System.nanoTime();
    CompletionStage<PermitAttempt> answered =
        acquire(
            acquire,
            call,
            answer -> {
              PermitAttempt attempt = SemaphoreAnswers.attempt(answer);
              if (attempt instanceof PermitAttempt.Waiting waiting) {
                boolean isNew = waiter.isNew();
                long ahead = SemaphoreAnswers.ahead(answer);
                waiter.queued(
                    acquire, new Heir.Place(waiting.ticket(), ahead, askedAt, System.nanoTime()));
                grants.await(acquire.permit(), isNew);
              } else {
                listener.leave(acquire.permit());
              }
              if (attempt instanceof PermitAttempt.Held) {
                waiter.served();
              }
              return attempt;
            });
    return answered.whenComplete(
        (attempt, failure) -> {
          if (failure != null) {
            waiter.noteDoubt();
          }
        });
  }

  private CompletionStage<PermitAttempt> acquire(
      SemaphoreOperation.Acquire acquire,
      Call call,
      Function<@Nullable Object, PermitAttempt> reading) {
    return runSettled(
        new ScriptCall(
            RedisScript.SEMAPHORE_ACQUIRE,
            layout.keys(acquire.permit().name()),
            layout.arguments(acquire)),
        reading,
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
    return releases.release(release.permit(), call);
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
    ResourceKey name = resize.name();
    heirs.limitChanged(name);
    return runSettled(
        new ScriptCall(
            RedisScript.SEMAPHORE_RESIZE,
            layout.keys(name),
            List.of(Integer.toString(resize.limit()))),
        answer -> {
          heirs.limitChanged(name);
          return String.valueOf(answer).equals("1");
        },
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
    grants.close();
    Connections.letEndSoon(listener.leaveAll());
  }
}
