package io.syncguard.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AsyncSemaphoreBackend;
import io.syncguard.spi.GrantLease;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The semaphore operations, each one script, each one round trip on a shared connection. */
final class AsyncRedisSemaphores implements AsyncSemaphoreBackend {

  private static final String LEASE = Long.toString(GrantLease.LONGEST.toMillis());

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final Duration timeout;
  private final ScriptRunner runner;

  AsyncRedisSemaphores(Connections connections, SemaphoreLayout layout, RedisOptions options) {
    this.connections = connections;
    this.layout = layout;
    this.timeout = options.commandTimeout();
    this.runner = new ScriptRunner(timeout);
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(PermitRequest request, CancelSignal signal) {
    return staged(
        () -> {
          ResourceKey name = request.permit().name();
          String notification = layout.notification(name, request.permit().id());
          List<String> keys = new ArrayList<>(layout.keys(name));
          keys.add(notification);
          CompletionStage<PermitAttempt> answer =
              runner.run(
                  connections.commands(),
                  new ScriptRunner.Call(
                      Script.SEMAPHORE_ACQUIRE,
                      keys,
                      List.of(
                          layout.notificationPrefix(name),
                          LEASE,
                          request.permit().id().value(),
                          Integer.toString(request.limit()),
                          Long.toString(request.heartbeatTimeout().toMillis()),
                          Long.toString(request.ttl().toMillis()),
                          request.waits() ? "1" : "0")),
                  AsyncRedisSemaphores::attempt,
                  request.permit().context(),
                  signal);
          return request.watched()
              ? answer.whenComplete((attempt, failure) -> listen(attempt, notification))
              : answer;
        });
  }

  /**
   * Has Redis tell the tracked connection of the grant, by reading there the list that the grant
   * will be pushed to. The scripts do not run on that connection: it would then hear of every
   * change to all that they read.
   */
  private void listen(@Nullable PermitAttempt attempt, String notification) {
    if (!(attempt instanceof PermitAttempt.Waiting)) {
      return;
    }
    CompletionStage<Long> granted =
        connections
            .watching(notification)
            .dispatch(
                CommandType.EXISTS,
                new IntegerOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).addKey(notification));
    granted.whenComplete(
        (exists, failure) -> {
          if (exists != null && exists > 0) {
            connections.hint(notification);
          }
        });
  }

  private static PermitAttempt attempt(@Nullable Object answer) {
    List<String> fields = list(answer);
    return switch (fields.get(0)) {
      case "held" ->
          new PermitAttempt.Held(
              Integer.parseInt(fields.get(1)), Instant.ofEpochMilli(Long.parseLong(fields.get(2))));
      case "waiting" -> new PermitAttempt.Waiting(Long.parseLong(fields.get(1)));
      case "busy" -> new PermitAttempt.Busy();
      case "limit" -> new PermitAttempt.LimitDiffers(Integer.parseInt(fields.get(1)));
      default -> throw new IllegalStateException("A script answered something unknown");
    };
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    return staged(
        () ->
            runner.runWithin(
                timeout,
                connections.commands(),
                new ScriptRunner.Call(
                    Script.SEMAPHORE_RELEASE,
                    layout.keys(permit.name()),
                    List.of(layout.notificationPrefix(permit.name()), LEASE, permit.id().value())),
                AsyncRedisSemaphores::released,
                permit.context()));
  }

  private static PermitReleaseResult released(@Nullable Object answer) {
    return switch (String.valueOf(answer)) {
      case "1" -> PermitReleaseResult.RELEASED;
      case "2" -> PermitReleaseResult.LEFT_QUEUE;
      default -> PermitReleaseResult.NOT_FOUND;
    };
  }

  @Override
  public CompletionStage<List<PermitState>> ping(Heartbeat heartbeat) {
    return staged(
        () -> {
          List<String> arguments = new ArrayList<>();
          arguments.add(layout.notificationPrefix(heartbeat.name()));
          arguments.add(LEASE);
          arguments.add(Long.toString(heartbeat.timeout().toMillis()));
          heartbeat.permits().stream().map(PermitId::value).forEach(arguments::add);
          return runner.run(
              connections.commands(),
              new ScriptRunner.Call(
                  Script.SEMAPHORE_PING, layout.keys(heartbeat.name()), arguments),
              AsyncRedisSemaphores::states,
              context(heartbeat.name()),
              CancelSignal.never());
        });
  }

  private static List<PermitState> states(@Nullable Object answer) {
    return String.valueOf(answer).chars().mapToObj(AsyncRedisSemaphores::state).toList();
  }

  private static PermitState state(int letter) {
    return switch (letter) {
      case 'H' -> PermitState.HOLDING;
      case 'W' -> PermitState.WAITING;
      default -> PermitState.GONE;
    };
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
                    List.of(layout.notificationPrefix(name), LEASE, Integer.toString(limit))),
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
                answer -> counted(name, answer),
                context(name),
                signal));
  }

  private static Optional<SemaphoreStats> counted(ResourceKey name, @Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<String> fields = list(answer);
    return Optional.of(
        new SemaphoreStats(
            name.value(),
            Integer.parseInt(fields.get(0)),
            Integer.parseInt(fields.get(1)),
            Integer.parseInt(fields.get(2)),
            Duration.ofMillis(Long.parseLong(fields.get(3)))));
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

  private static List<String> list(@Nullable Object answer) {
    if (answer instanceof List<?> fields) {
      return fields.stream().map(String::valueOf).toList();
    }
    throw new IllegalStateException("A script answered something else than a list");
  }

  private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> operation) {
    try {
      return operation.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
