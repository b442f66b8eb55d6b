package io.syncguard.redis;

import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * This process's own waiters, who can inherit a slot: a release names the first of them, and if
 * Redis finds it to be the first of all, it holds the slot in the same step. Then neither a
 * notification nor a confirmation has to travel. Thread-safe.
 */
final class Heirs {

  private final ConcurrentHashMap<PermitId, Heir> byId = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<ResourceKey, TreeMap<Long, Heir>> queues =
      new ConcurrentHashMap<>();

  /** Notes somebody who is about to wait. */
  PermitWatch watch(PermitReference waiter, Runnable hint) {
    Heir heir = new Heir(waiter, hint);
    byId.put(waiter.id(), heir);
    return heir::close;
  }

  /** Notes a waiter's place in the queue. */
  void queued(PermitRequest request, long ticket) {
    Heir heir = byId.get(request.permit().id());
    if (heir != null) {
      heir.place = new Place(request, ticket);
      heir.standInLine();
    }
  }

  /** Takes out of the line the first who waits for this name; null if there is nobody. */
  @Nullable Heir first(ResourceKey name) {
    AtomicReference<@Nullable Heir> first = new AtomicReference<>();
    queues.computeIfPresent(
        name,
        (key, line) -> {
          Map.Entry<Long, Heir> entry = line.pollFirstEntry();
          if (entry != null) {
            first.set(entry.getValue());
          }
          return line.isEmpty() ? null : line;
        });
    return first.get();
  }

  /** Returns what the waiter has inherited, once. */
  Optional<PermitAttempt> inherited(PermitId waiter) {
    Heir heir = byId.get(waiter);
    Inheritance inheritance = heir == null ? null : heir.inheritance.getAndSet(null);
    return Optional.ofNullable(inheritance).map(Inheritance::asAttempt);
  }

  private record Place(PermitRequest request, long ticket) {}

  private record Inheritance(PermitAttempt.Held held, long notBefore) {

    PermitAttempt asAttempt() {
      return new PermitAttempt.Held(
          held.slot(), held.expiresAt(), Duration.ofNanos(System.nanoTime() - notBefore));
    }
  }

  /** One waiter. */
  final class Heir {

    private final PermitReference waiter;
    private final Runnable hint;
    private final AtomicReference<@Nullable Inheritance> inheritance = new AtomicReference<>();
    private volatile @Nullable Place place;
    private volatile boolean closed;

    private Heir(PermitReference waiter, Runnable hint) {
      this.waiter = waiter;
      this.hint = hint;
    }

    PermitRequest request() {
      return inLine().request();
    }

    private Place inLine() {
      Place known = place;
      if (known == null) {
        throw new IllegalStateException("Nobody inherits who is not in line");
      }
      return known;
    }

    /** Lets others name it as their heir, until it is taken out of the line or waits no more. */
    void standInLine() {
      long ticket = inLine().ticket();
      queues.compute(
          waiter.name(),
          (name, line) -> {
            if (closed) {
              return line;
            }
            TreeMap<Long, Heir> longer = line == null ? new TreeMap<>() : line;
            longer.put(ticket, this);
            return longer;
          });
    }

    /**
     * Has it find a slot that it holds.
     *
     * @param notBefore when Redis had not given it the slot yet, in nanoseconds
     */
    void inherit(PermitAttempt.Held held, long notBefore) {
      inheritance.set(new Inheritance(held, notBefore));
      hint.run();
    }

    private void close() {
      closed = true;
      byId.remove(waiter.id(), this);
      Place last = place;
      if (last != null) {
        queues.computeIfPresent(
            waiter.name(),
            (name, line) -> {
              line.remove(last.ticket(), this);
              return line.isEmpty() ? null : line;
            });
      }
    }
  }
}
