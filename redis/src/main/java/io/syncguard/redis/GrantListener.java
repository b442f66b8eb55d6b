package io.syncguard.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.ResourceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Has Redis tell this process of grants to its waiters, each by the list that the grant is pushed
 * to. Fails silently, as when the store is being closed: a waiter has its place all the same, and
 * its heartbeats find the grant. Thread-safe.
 */
final class GrantListener {

  private static final int MOST_LISTS_LEFT = 128;

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private Map<ResourceKey, List<String>> left = new HashMap<>();
  private int listsLeft;

  GrantListener(Connections connections, SemaphoreLayout layout, ScriptRunner runner) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
  }

  /**
   * Begins to listen, by reading the waiter's list through the tracked connection. The scripts do
   * not run there: it would then hear of every change to all that they read.
   */
  void listen(PermitReference waiter) {
    String list = layout.notification(waiter.name(), waiter.id());
    try {
      exists(list)
          .whenComplete(
              (exists, failure) -> {
                if (exists != null && exists > 0) {
                  connections.hint(list);
                }
              });
    } catch (RuntimeException e) {
      // As when Redis did not answer.
    }
  }

  private CompletionStage<Long> exists(String list) {
    return connections
        .watching(list)
        .dispatch(
            CommandType.EXISTS,
            new IntegerOutput<>(StringCodec.UTF8),
            new CommandArgs<>(StringCodec.UTF8).addKey(list));
  }

  /**
   * Stops listening for a waiter whom nothing was pushed to, and never will be: it left, or got a
   * slot by other means. Redis would remember its list for ever, so it is told, but of many at
   * once. It is told through the tracked connection, which does not hear of its own changes.
   */
  void leave(PermitReference waiter) {
    String list = layout.notification(waiter.name(), waiter.id());
    try {
      if (isTracked(list) && add(waiter.name(), list) >= MOST_LISTS_LEFT) {
        Connections.letEnd(leaveAll());
      }
    } catch (RuntimeException e) {
      // As when Redis did not answer.
    }
  }

  private boolean isTracked(String list) {
    return connections.watching(list) != connections.commands();
  }

  private synchronized int add(ResourceKey name, String list) {
    left.computeIfAbsent(name, any -> new ArrayList<>()).add(list);
    return ++listsLeft;
  }

  /** Has Redis forget all who left; the stage ends when it has, or cannot. */
  CompletionStage<Void> leaveAll() {
    return CompletableFuture.allOf(
        taken().entrySet().stream()
            .map(entry -> stopListening(entry.getKey(), entry.getValue()).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }

  private synchronized Map<ResourceKey, List<String>> taken() {
    Map<ResourceKey, List<String>> taken = left;
    left = new HashMap<>();
    listsLeft = 0;
    return taken;
  }

  private CompletionStage<?> stopListening(ResourceKey name, List<String> lists) {
    try {
      return runner.run(
          connections.watching(lists.get(0)),
          new ScriptRunner.Call(Script.SEMAPHORE_STOP_LISTENING, lists, List.of()),
          String::valueOf,
          new SyncGuardException.Context(name.value(), null),
          CancelSignal.never());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
