package io.syncguard.redis.semaphore;

import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's own waiters, which can inherit a slot: a release names the first of them, and if
 * Redis finds it to be the first of all, it holds the slot in the same step. Then neither a
 * notification nor a confirmation has to travel.
 *
 * <p>A waiter that is known to be the first of all begins at once, in the place of the holder that
 * releases, and Redis is told. It is known to be the first if the queue was empty when it came, or
 * if the last waiter before it has been served. Until Redis answers, it rests on the holder's slot
 * and on its own place in the queue, which may meanwhile have become a grant: so not for longer
 * than Redis keeps each of these, whenever Redis hears of the release. Thread-safe.
 */
final class Heirs {

  private final ConcurrentHashMap<PermitId, Heir> byId = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<ResourceKey, Line> lines = new ConcurrentHashMap<>();
  private final Holders holders = new Holders();

  /** By holder: the waiter that has begun in its place, as Redis may not know of the release. */
  private final ConcurrentHashMap<PermitId, Beginning> beginnings = new ConcurrentHashMap<>();

  private final SweepPoint sweepPoint = new SweepPoint(1024);

  /**
   * A waiter that has begun in the place of a holder.
   *
   * @param endsAt when it gives its slot up for lost unless Redis has confirmed it
   * @param confirmed completes when Redis says that it has a slot
   */
  record Beginning(Heir heir, long endsAt, CompletableFuture<Boolean> confirmed) {

    private boolean isOver() {
      return endsAt - System.nanoTime() < 0;
    }
  }

  /**
   * Notes a client that is about to wait.
   *
   * @param listWatch opens an interest in its list, once it does wait
   */
  Watch watch(PermitReference waiter, Runnable hint, Supplier<Optional<Watch>> listWatch) {
    Heir heir = new Heir(this, waiter, hint, listWatch);
    byId.put(waiter.id(), heir);
    return heir::close;
  }

  /** Returns a waiter whose watch is open; null if there is none. */
  @Nullable Heir of(PermitId waiter) {
    return byId.get(waiter);
  }

  boolean waits(PermitId waiter) {
    return byId.containsKey(waiter);
  }

  /** Has all waiters look at what Redis knows. */
  void lookAll() {
    byId.values().forEach(Heir::look);
  }

  /** Lets no waiter begin before Redis hears of it, as the limit is another one. */
  void limitChanged(ResourceKey name) {
    Line line = lines.get(name);
    if (line != null) {
      line.limitChanged();
    }
  }

  /** Lets them begin again: Redis has found that as many slots are taken as there are. */
  void limitIsKnown(ResourceKey name) {
    Line line = lines.get(name);
    if (line != null) {
      line.limitIsKnown();
    }
  }

  /**
   * Takes the waiter that may inherit from this holder out of the line, when it first releases;
   * null if no client waits.
   */
  Line.@Nullable Succession next(PermitReference holder) {
    OptionalLong slotEndsAt = holders.remove(holder.id());
    Line line = lines.get(holder.name());
    return line == null ? null : line.next(slotEndsAt);
  }

  /** Notes that a waiter is about to begin in the place of a holder. */
  void begins(Beginning beginning, PermitReference holder) {
    if (sweepPoint.isReached(beginnings.size())) {
      // Redis could not be told of these.
      beginnings.values().removeIf(Beginning::isOver);
      sweepPoint.swept(beginnings.size());
    }
    beginnings.put(holder.id(), beginning);
  }

  /** Returns the waiter that has begun in the place of this holder; null if there is none. */
  @Nullable Beginning begunFor(PermitReference holder) {
    return beginnings.get(holder.id());
  }

  /** Notes that Redis knows of a holder's release, or that no waiter begins in its place. */
  void forgetBeginning(PermitReference holder) {
    beginnings.remove(holder.id());
  }

  /** Returns what the waiter has inherited, once. */
  Optional<PermitAttempt> inherited(PermitId waiter) {
    Heir heir = byId.get(waiter);
    return heir == null ? Optional.empty() : heir.inherited();
  }

  ConcurrentHashMap<ResourceKey, Line> lines() {
    return lines;
  }

  Holders holders() {
    return holders;
  }

  void forget(Heir heir) {
    byId.remove(heir.reference().id(), heir);
  }

  /** Does something unless the waiter's watch is closed, which it is before it is released. */
  boolean whileWaiting(Heir heir, Runnable action) {
    return byId.computeIfPresent(
            heir.reference().id(),
            (id, present) -> {
              action.run();
              return present;
            })
        != null;
  }
}
