package io.syncguard.redis.semaphore;

import io.syncguard.spi.semaphore.PermitId;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Slots of this process that a client waited for, by their holder, until its release begins.
 * Thread-safe.
 */
final class Holders {

  private final SweepPoint sweepPoint = new SweepPoint(1024);
  private final ConcurrentHashMap<PermitId, Holding> byId = new ConcurrentHashMap<>();

  /**
   * A slot in use.
   *
   * @param endsAt until when Redis surely keeps it, in nanoseconds
   * @param certain whether Redis has given it, as far as is known
   */
  private record Holding(long endsAt, boolean certain) {

    boolean isOver() {
      return endsAt - System.nanoTime() < 0;
    }
  }

  /** Notes a slot that Redis has given, and keeps until that time. */
  void add(PermitId holder, long endsAt) {
    put(holder, new Holding(endsAt, true));
  }

  /** Notes a slot that Redis is about to give. */
  void addUncertain(PermitId holder, long endsAt) {
    put(holder, new Holding(endsAt, false));
  }

  private void put(PermitId holder, Holding holding) {
    if (sweepPoint.isReached(byId.size())) {
      // A slot that is lost is never released.
      byId.values().removeIf(Holding::isOver);
      sweepPoint.swept(byId.size());
    }
    byId.put(holder, holding);
  }

  /** Notes that Redis has confirmed a slot until that time, unless its release has begun. */
  void confirm(PermitId holder, long endsAt) {
    byId.computeIfPresent(holder, (id, holding) -> new Holding(endsAt, true));
  }

  /** Forgets a slot that Redis does not give. */
  void removeUncertain(PermitId holder) {
    byId.computeIfPresent(holder, (id, holding) -> holding.certain() ? holding : null);
  }

  /** Returns whether it has a slot whose release has not begun. */
  boolean has(PermitId holder) {
    return byId.containsKey(holder);
  }

  /** Returns until when Redis surely keeps a slot, and forgets it; empty if it is not certain. */
  OptionalLong remove(PermitId holder) {
    @Nullable Holding holding = byId.remove(holder);
    return holding != null && holding.certain()
        ? OptionalLong.of(holding.endsAt())
        : OptionalLong.empty();
  }
}
