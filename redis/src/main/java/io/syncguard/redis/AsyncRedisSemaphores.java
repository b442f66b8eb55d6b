package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AsyncSemaphoreBackend;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The semaphore operations, each one script, each one round trip on a shared connection. */
final class AsyncRedisSemaphores implements AsyncSemaphoreBackend {

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final Heirs heirs = new Heirs();
  private final Duration timeout;
  private final ScriptRunner runner;
  private final GrantListener listener;
  private final NoticedGrants grants;
  private final SlotReleases releases;

  AsyncRedisSemaphores(
      Connections connections, SemaphoreLayout layout, RedisOptions options, ScriptRunner runner) {
    this.connections = connections;
    this.layout = layout;
    this.timeout = options.commandTimeout();
    this.runner = runner;
    this.listener =
        new GrantListener(connections, layout, runner, heirs::waits, TimeSource.system());
    this.grants = new NoticedGrants(connections, layout, runner, heirs, listener);
    this.releases = new SlotReleases(connections, layout, runner, heirs, listener);
  }

  Heirs heirs() {
    return heirs;
  }

  /** Has Redis forget what it remembers for waiters who left; fails if it does not answer. */
  CompletionStage<Void> forgetWhoLeft() {
    grants.close();
    return listener.leaveAll();
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(PermitRequest request, CancelSignal signal) {
    Optional<PermitAttempt> inherited = heirs.inherited(request.permit().id());
    if (inherited.isPresent()) {
      return CompletableFuture.completedFuture(inherited.get());
    }
    return staged(
        () -> {
          Heir waiter = request.watched() ? heirs.of(request.permit().id()) : null;
          return waiter == null
              ? acquire(request, signal, SemaphoreAnswers::attempt)
              : acquireFor(waiter, request, signal);
        });
  }

  private CompletionStage<PermitAttempt> acquireFor(
      Heir waiter, PermitRequest request, CancelSignal signal) {
    long askedAt = System.nanoTime();
    CompletionStage<PermitAttempt> answered =
        acquire(
            request,
            signal,
            answer -> {
              PermitAttempt attempt = SemaphoreAnswers.attempt(answer);
              if (attempt instanceof PermitAttempt.Waiting waiting) {
                boolean isNew = waiter.isNew();
                long ahead = SemaphoreAnswers.ahead(answer);
                waiter.queued(
                    request, new Heir.Place(waiting.ticket(), ahead, askedAt, System.nanoTime()));
                grants.await(request.permit(), isNew);
              } else {
                listener.leave(request.permit());
              }
              if (attempt instanceof PermitAttempt.Held) {
                waiter.served();
              }
              return attempt;
            });
    return answered.whenComplete(
        (attempt, failure) -> {
          if (failure != null) {
            waiter.isInDoubt();
          }
        });
  }

  private CompletionStage<PermitAttempt> acquire(
      PermitRequest request,
      CancelSignal signal,
      Function<@Nullable Object, PermitAttempt> reading) {
    return runSettled(
        request.timeout(),
        new ScriptRunner.Call(
            Script.SEMAPHORE_ACQUIRE,
            layout.keys(request.permit().name()),
            layout.arguments(request)),
        reading,
        request.permit().context(),
        signal);
  }

  /** Runs a script, and again while there is more to settle than it does at a time. */
  private <T> CompletionStage<T> runSettled(
      Duration limit,
      ScriptRunner.Call call,
      Function<@Nullable Object, T> reading,
      SyncGuardException.Context context,
      CancelSignal signal) {
    long begunAt = System.nanoTime();
    return runner
        .runWithin(
            limit,
            connections.commands(),
            call,
            answer ->
                SemaphoreAnswers.isAgain(answer)
                    ? Optional.<T>empty()
                    : Optional.of(reading.apply(answer)),
            context,
            signal)
        .thenCompose(
            settled ->
                settled.isPresent()
                    ? CompletableFuture.completedFuture(settled.get())
                    : runSettled(
                        limit.minusNanos(System.nanoTime() - begunAt),
                        call,
                        reading,
                        context,
                        signal));
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    return staged(() -> releases.release(permit, timeout));
  }

  @Override
  public CompletionStage<List<PermitState>> ping(Heartbeat heartbeat) {
    return staged(
        () -> {
          List<String> arguments = new ArrayList<>();
          arguments.add(Long.toString(heartbeat.timeout().toMillis()));
          heartbeat.permits().stream().map(layout::member).forEach(arguments::add);
          return runner.run(
              connections.commands(),
              new ScriptRunner.Call(
                  Script.SEMAPHORE_PING, layout.keys(heartbeat.name()), arguments),
              answer -> {
                if (SemaphoreAnswers.leftMore(answer)) {
                  settleOn(heartbeat);
                }
                return SemaphoreAnswers.states(answer);
              },
              context(heartbeat.name()),
              CancelSignal.never());
        });
  }

  /** Has Redis settle what one step did not, in steps between which it serves others. */
  private void settleOn(Heartbeat heartbeat) {
    Connections.letEnd(ping(new Heartbeat(heartbeat.name(), List.of(), heartbeat.timeout())));
  }

  @Override
  public CompletionStage<Boolean> resize(ResourceKey name, int limit, CancelSignal signal) {
    heirs.limitChanged(name);
    return staged(
        () ->
            runSettled(
                timeout,
                new ScriptRunner.Call(
                    Script.SEMAPHORE_RESIZE, layout.keys(name), List.of(Integer.toString(limit))),
                answer -> {
                  heirs.limitChanged(name);
                  return String.valueOf(answer).equals("1");
                },
                context(name),
                signal));
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(ResourceKey name, CancelSignal signal) {
    return staged(
        () ->
            runner.run(
                connections.commands(),
                new ScriptRunner.Call(Script.SEMAPHORE_CARD, layout.keys(name), List.of()),
                answer -> SemaphoreAnswers.counted(name, answer),
                context(name),
                signal));
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(CancelSignal signal) {
    return collect(scan(), new TreeMap<>(), signal).thenApply(found -> List.copyOf(found.values()));
  }

  private static CompletionStage<Map<String, SemaphoreStats>> collect(
      RedisScan<SemaphoreStats> scan, Map<String, SemaphoreStats> found, CancelSignal signal) {
    return scan.nextAsync(signal)
        .thenCompose(
            page -> {
              if (page.isEmpty()) {
                return CompletableFuture.completedFuture(found);
              }
              page.get().forEach(stats -> found.put(stats.name(), stats));
              return collect(scan, found, signal);
            });
  }

  RedisScan<SemaphoreStats> scan() {
    return new RedisScan<>(
        connections,
        timeout,
        layout.pattern(),
        (maxKey, signal) -> staged(() -> stats(layout.nameIn(maxKey), signal)));
  }

  private static SyncGuardException.Context context(ResourceKey name) {
    return new SyncGuardException.Context(name.value(), null);
  }

  private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> operation) {
    try {
      return operation.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
