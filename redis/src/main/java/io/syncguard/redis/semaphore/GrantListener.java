package io.syncguard.redis.semaphore;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.Subject;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.Messages;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has Redis tell this process of grants to its waiters, each by the list that the grant is pushed
 * to. Clients of the reference tell in this way, and so do the store's scripts where no process
 * listens to {@link Messages}; so where this process does, it listens only for waiters that wait
 * for longer. Fails silently, as when the store is being closed: a waiter has its place all the
 * same, and its heartbeats find the grant. Thread-safe.
 */
final class GrantListener {

  /** Most waiters are served by then. */
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private static final int MOST_LISTS_LEFT = 32;

  /**
   * A waiter that is not listened for yet.
   *
   * @param since when it came, in nanoseconds
   */
  private record Patient(SlotWaiter waiter, long since) {}

  private final Connections connections;
  private final ScriptRunner runner;
  private final TimeSource time;
  private final Queue<Patient> patient = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean timed = new AtomicBoolean();
  private Map<ResourceKey, List<String>> left = new HashMap<>();
  private int listsLeft;

  GrantListener(Connections connections, ScriptRunner runner, TimeSource time) {
    this.connections = connections;
    this.runner = runner;
    this.time = time;
  }

  /** Begins to listen soon, if it is still of use by then. */
  void listenSoon(SlotWaiter waiter) {
    patient.add(new Patient(waiter, time.nanoTime()));
    lookLater();
  }

  private void lookLater() {
    if (timed.compareAndSet(false, true)) {
      time.schedule(this::listenToThePatient, PATIENCE);
    }
  }

  private void listenToThePatient() {
    timed.set(false);
    long latest = time.nanoTime() - PATIENCE.toNanos();
    Map<ResourceKey, List<String>> lists = new HashMap<>();
    Patient first = patient.peek();
    while (first != null && first.since() - latest <= 0) {
      SlotWaiter waiter = first.waiter();
      if (patient.remove(first) && waiter.watchList(connections)) {
        lists.computeIfAbsent(waiter.name(), any -> new ArrayList<>()).add(waiter.list());
      }
      first = patient.peek();
    }
    lists.values().forEach(this::listenTo);
    if (first != null) {
      lookLater();
    }
  }

  /** Begins to listen, unless it waits no more. */
  void listen(SlotWaiter waiter) {
    if (waiter.watchList(connections)) {
      listenTo(List.of(waiter.list()));
    }
  }

  /**
   * Begins to listen to lists of one name, by reading them through the tracked connection. The
   * scripts do not run there, as it would then hear of every change to all that they read.
   */
  private void listenTo(List<String> lists) {
    try {
      exist(lists)
          .whenComplete(
              (exist, failure) -> {
                if (exist != null && exist > 0) {
                  lists.forEach(connections::hint);
                }
              });
    } catch (RuntimeException e) {
      // As when Redis did not answer.
    }
  }

  private CompletionStage<Long> exist(List<String> lists) {
    return connections
        .watching(lists.get(0))
        .dispatch(
            CommandType.EXISTS,
            new IntegerOutput<>(StringCodec.UTF8),
            new CommandArgs<>(StringCodec.UTF8).addKeys(lists));
  }

  /**
   * Stops listening for a waiter that left, or has a slot. If nothing was pushed to its list, Redis
   * would remember the list for ever, so it is told, of many lists at once. It is told through the
   * tracked connection, which does not hear of its own changes.
   */
  void leave(SlotWaiter waiter) {
    if (!waiter.close()) {
      return;
    }
    try {
      if (isTracked(waiter.list()) && add(waiter) >= MOST_LISTS_LEFT) {
        Connections.letEnd(leaveAll());
      }
    } catch (RuntimeException e) {
      // As when Redis did not answer.
    }
  }

  private boolean isTracked(String list) {
    return connections.watching(list) != connections.commands();
  }

  private synchronized int add(SlotWaiter waiter) {
    left.computeIfAbsent(waiter.name(), any -> new ArrayList<>()).add(waiter.list());
    return ++listsLeft;
  }

  /** Has Redis forget all that left; the stage ends when it has, or cannot. */
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
      return runner.runOn(
          connections.watching(lists.get(0)),
          new ScriptCall(RedisScript.SEMAPHORE_STOP_LISTENING, lists, List.of()),
          String::valueOf,
          Subject.ofSemaphore(name.value(), null),
          Call.plain());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
