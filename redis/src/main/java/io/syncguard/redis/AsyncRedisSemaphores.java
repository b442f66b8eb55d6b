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

  AsyncRedisSemaphores(Connections connections, SemaphoreLayout layout, RedisOptions options) {
    this.connections = connections;
    this.layout = layout;
    this.timeout = options.commandTimeout();
    this.runner = new ScriptRunner(timeout);
    this.listener = new GrantListener(connections, layout, runner);
  }

  Heirs heirs() {
    return heirs;
  }

  /** Has Redis forget what it remembers for waiters who left; fails if it does not answer. */
  CompletionStage<Void> forgetWhoLeft() {
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
          ResourceKey name = request.permit().name();
          CompletionStage<PermitAttempt> answer =
              runner.run(
                  connections.commands(),
                  new ScriptRunner.Call(
                      Script.SEMAPHORE_ACQUIRE, layout.keys(name), arguments(request)),
                  SemaphoreAnswers::attempt,
                  request.permit().context(),
                  signal);
          return request.watched()
              ? answer.whenComplete((attempt, failure) -> noteWaiter(request, attempt))
              : answer;
        });
  }

  private void noteWaiter(PermitRequest request, @Nullable PermitAttempt attempt) {
    if (attempt instanceof PermitAttempt.Waiting waiting) {
      listener.listen(request.permit());
      heirs.queued(request, waiting.ticket());
    } else if (attempt instanceof PermitAttempt.Busy) {
      listener.leave(request.permit());
    }
  }

  private List<String> arguments(PermitRequest request) {
    List<String> arguments = new ArrayList<>();
    arguments.add(layout.notificationPrefix(request.permit().name()));
    arguments.add(layout.member(request.permit().id()));
    arguments.add(Integer.toString(request.limit()));
    arguments.add(Long.toString(request.heartbeatTimeout().toMillis()));
    arguments.add(Long.toString(request.ttl().toMillis()));
    if (request.waits()) {
      arguments.add("1");
    }
    return arguments;
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    return staged(
        () -> {
          Heirs.Heir heir = heirs.first(permit.name());
          return heir == null
              ? release(permit, timeout, List.of(), answer -> released(permit, answer))
              : releaseTo(heir, permit, timeout);
        });
  }

  /** The heir's time begins with this request: it cannot have had the slot before. */
  private CompletionStage<PermitReleaseResult> releaseTo(
      Heirs.Heir heir, PermitReference permit, Duration timeout) {
    long askedAt = System.nanoTime();
    PermitRequest request = heir.request();
    return release(
            permit,
            timeout,
            List.of(
                layout.member(request.permit().id()),
                Long.toString(request.heartbeatTimeout().toMillis()),
                Long.toString(request.ttl().toMillis())),
            answer -> {
              Optional<PermitAttempt.Held> inheritance = SemaphoreAnswers.inheritance(answer);
              inheritance.ifPresentOrElse(held -> heir.inherit(held, askedAt), heir::standInLine);
              if (inheritance.isPresent()) {
                listener.leave(request.permit());
              }
              return released(permit, answer);
            })
        .whenComplete(
            (result, failure) -> {
              if (failure != null) {
                heir.standInLine();
              }
            });
  }

  private PermitReleaseResult released(PermitReference permit, @Nullable Object answer) {
    PermitReleaseResult result = SemaphoreAnswers.released(answer);
    if (result == PermitReleaseResult.LEFT_QUEUE) {
      listener.leave(permit);
    }
    return result;
  }

  private CompletionStage<PermitReleaseResult> release(
      PermitReference permit,
      Duration timeout,
      List<String> heir,
      Function<@Nullable Object, PermitReleaseResult> reading) {
    List<String> arguments = new ArrayList<>();
    arguments.add(layout.notificationPrefix(permit.name()));
    arguments.add(layout.member(permit.id()));
    arguments.addAll(heir);
    return runner.runWithin(
        timeout,
        connections.commands(),
        new ScriptRunner.Call(Script.SEMAPHORE_RELEASE, layout.keys(permit.name()), arguments),
        reading,
        permit.context());
  }

  @Override
  public CompletionStage<List<PermitState>> ping(Heartbeat heartbeat) {
    return staged(
        () -> {
          List<String> arguments = new ArrayList<>();
          arguments.add(layout.notificationPrefix(heartbeat.name()));
          arguments.add(Long.toString(heartbeat.timeout().toMillis()));
          heartbeat.permits().stream().map(layout::member).forEach(arguments::add);
          return runner.run(
              connections.commands(),
              new ScriptRunner.Call(
                  Script.SEMAPHORE_PING, layout.keys(heartbeat.name()), arguments),
              SemaphoreAnswers::states,
              context(heartbeat.name()),
              CancelSignal.never());
        });
  }

  @Override
  public CompletionStage<Boolean> resize(ResourceKey name, int limit, CancelSignal signal) {
    return staged(
        () ->
            runner.run(
                connections.commands(),
                new ScriptRunner.Call(
                    Script.SEMAPHORE_RESIZE,
                    layout.keys(name),
                    List.of(layout.notificationPrefix(name), Integer.toString(limit))),
                answer -> String.valueOf(answer).equals("1"),
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
