package io.syncguard.redis.semaphore;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.Subject;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Has Redis tell this process of grants to its waiters, each by the list that the grant is pushed
 * to. Clients of the reference tell in this way, and so do the store's scripts where no process
 * listens to {@link GrantNotices}; so where this process does, it listens only for waiters that
 * wait for longer. Fails silently, as when the store is being closed: a waiter has its place all
 * the same, and its heartbeats find the grant. Thread-safe.
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
  private record Patient(PermitReference waiter, long since) {}

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private final Predicate<PermitId> stillWaits;
  private final TimeSource time;
  private final Set<PermitId> listened = ConcurrentHashMap.newKeySet();
  private final Map<PermitId, Patient> patient = new ConcurrentHashMap<>();
  private final AtomicBoolean timed = new AtomicBoolean();
  private Map<ResourceKey, List<String>> left = new HashMap<>();
  private int listsLeft;

  GrantListener(
      Connections connections,
      SemaphoreLayout layout,
      ScriptRunner runner,
      Predicate<PermitId> stillWaits,
      TimeSource time) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.stillWaits = stillWaits;
    this.time = time;
  }

  /** Begins to listen soon, for the first time, if it is still of use by then. */
  void listenSoon(PermitReference waiter) {
    patient.put(waiter.id(), new Patient(waiter, time.nanoTime()));
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
    for (Patient each : patient.values()) {
      PermitReference waiter = each.waiter();
      if (each.since() - latest <= 0 && stopped(waiter) && stillWaits.test(waiter.id())) {
        listened.add(waiter.id());
        lists.computeIfAbsent(waiter.name(), any -> new ArrayList<>()).add(list(waiter));
      }
    }
    lists.values().forEach(this::listenTo);
    if (!patient.isEmpty()) {
      lookLater();
    }
  }

  /** Begins to listen. */
  void listen(PermitReference waiter) {
    stopped(waiter);
    listened.add(waiter.id());
    listenTo(List.of(list(waiter)));
  }

  private String list(PermitReference waiter) {
    return layout.notification(waiter.name(), waiter.id());
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
   * Stops listening for a waiter, if it has begun: it left, or has a slot. If nothing was pushed to
   * its list, Redis would remember the list for ever, so it is told, of many lists at once. It is
   * told through the tracked connection, which does not hear of its own changes.
   */
  void leave(PermitReference waiter) {
    if (stopped(waiter) || !listened.remove(waiter.id())) {
      return;
    }
    String list = list(waiter);
    try {
      if (isTracked(list) && add(waiter.name(), list) >= MOST_LISTS_LEFT) {
        Connections.letEnd(leaveAll());
      }
    } catch (RuntimeException e) {
      // As when Redis did not answer.
    }
  }

  /** Stops what has not begun; returns whether that was so. */
  private boolean stopped(PermitReference waiter) {
    return patient.remove(waiter.id()) != null;
  }

  private boolean isTracked(String list) {
    return connections.watching(list) != connections.commands();
  }

  private synchronized int add(ResourceKey name, String list) {
    left.computeIfAbsent(name, any -> new ArrayList<>()).add(list);
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
