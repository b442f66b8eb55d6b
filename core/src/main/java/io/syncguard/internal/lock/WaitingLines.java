package io.syncguard.internal.lock;

import io.syncguard.internal.GuardContext;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Lines up the waiters of this process, so that for each key only the first one asks the store. */
final class WaitingLines {

  private final GuardContext guard;
  private final TimeSource time;
  private final RecentKeys waitedForLately;
  private final ConcurrentHashMap<ResourceKey, WaitingLine> lines = new ConcurrentHashMap<>();

  WaitingLines(GuardContext guard) {
    this.guard = guard;
    this.time = guard.time();
    this.waitedForLately = new RecentKeys(time);
  }

  /**
   * Returns whether an attempt is worth its while before lining up: not if others wait, and not if
   * others waited a moment ago, because then the attempt may as well be one that the store
   * remembers.
   */
  boolean mayAskAtOnce(ResourceKey key) {
    return !lines.containsKey(key) && !waitedForLately.contains(key);
  }

  /** Joins the end of the key's line. The wake-up runs whenever the waiter should look around. */
  Place join(ResourceKey key, Runnable wakeUp) {
    Place place = new Place(key, wakeUp);
    boolean[] isNew = {false};
    WaitingLine line =
        lines.compute(
            key,
            (k, existing) -> {
              isNew[0] = existing == null;
              WaitingLine joined = existing == null ? newLine(key) : existing;
              joined.add(place);
              return joined;
            });
    place.line = line;
    if (isNew[0]) {
      if (waitedForLately.tenureOf(key) != line.tenure()) {
        line.forgetTenure();
      }
      try {
        line.openWatch(key);
      } catch (RuntimeException e) {
        place.close();
        throw e;
      }
    }
    return place;
  }

  private WaitingLine newLine(ResourceKey key) {
    Tenure known = waitedForLately.tenureOf(key);
    return new WaitingLine(guard, known == null ? new Tenure() : known);
  }

  /**
   * Returns the next waiter's attempt if it is to be made right behind this release; the caller
   * must then make it.
   */
  @Nullable Offer takeOfferFor(ResourceKey key, LockId released) {
    WaitingLine line = lines.get(key);
    return line == null ? null : line.takeOfferFor(released);
  }

  /** Passes on that this process released the lock, unless the store will tell the first waiter. */
  void released(ResourceKey key, LockId lockId) {
    // In this order: who joins a line after it was looked for here sees the tenure ended.
    Tenure known = waitedForLately.tenureOf(key);
    if (known != null) {
      known.end(lockId);
    }
    WaitingLine line = lines.get(key);
    if (line != null) {
      line.released(lockId);
    }
  }

  void wakeAll() {
    List<Place> waiting = new ArrayList<>();
    for (ResourceKey key : lines.keySet()) {
      lines.computeIfPresent(
          key,
          (k, line) -> {
            waiting.addAll(line.places());
            return line;
          });
    }
    waiting.forEach(place -> place.wakeUp.run());
  }

  /** A waiter's place in the line. */
  final class Place implements AutoCloseable {

    final Runnable wakeUp;
    volatile boolean hinted;
    volatile boolean yielding;
    volatile boolean known;
    volatile @Nullable Offer offer;
    boolean wasFirst;

    private final ResourceKey key;
    private volatile @Nullable WaitingLine line;

    private Place(ResourceKey key, Runnable wakeUp) {
      this.key = key;
      this.wakeUp = wakeUp;
    }

    boolean isFirst() {
      WaitingLine mine = line;
      return mine != null && mine.first() == this;
    }

    boolean isWatched() {
      WaitingLine mine = line;
      return mine != null && mine.isWatched();
    }

    /** Returns whether there was a hint since the last time. */
    boolean takeHint() {
      if (!hinted) {
        return false;
      }
      hinted = false;
      return true;
    }

    /** Returns whether, since the last time, this process has had the lock for long enough. */
    boolean takeYielding() {
      if (!yielding) {
        return false;
      }
      yielding = false;
      return true;
    }

    /** Notes that the store, having been asked, will tell this waiter of changes. */
    void isKnownToTheStore() {
      known = true;
    }

    /**
     * Returns whether a waiter of this process that stood in front of this one holds the lock now.
     */
    boolean isLockHeldHere() {
      WaitingLine mine = line;
      return mine != null && mine.tenure().isHeld();
    }

    /** Lets others make the waiter's next attempt, while it sleeps. */
    void offer(Offer open) {
      open.onAnswer(wakeUp);
      offer = open;
    }

    /** Returns false if the attempt was taken; its answer must then be awaited. */
    boolean withdraw(Offer open) {
      boolean withdrawn = open.withdraw();
      if (withdrawn) {
        offer = null;
      }
      return withdrawn;
    }

    /** Notes that the waiter has the answer to the attempt that was taken. */
    void offerIsAnswered() {
      offer = null;
    }

    /**
     * Leaves the line with the lock in hand. The next one is not woken: it has nothing to ask
     * before the lock is released, and that will wake it.
     */
    void leaveWithLock(LockId lockId, boolean handedOver) {
      WaitingLine mine = line;
      if (mine != null) {
        mine.tenure().begin(lockId, handedOver, time.nanoTime());
      }
      leave();
    }

    /** Leaves the line; if this was the first place, the next one's turn comes. */
    @Override
    public void close() {
      WaitingLine remaining = leave();
      if (wasFirst && remaining != null) {
        remaining.wakeFirst();
      }
    }

    private @Nullable WaitingLine leave() {
      WaitingLine left = line;
      if (left == null) {
        return null;
      }
      line = null;
      WaitingLine remaining =
          lines.computeIfPresent(key, (k, existing) -> existing.remove(this) ? existing : null);
      if (remaining == null) {
        waitedForLately.add(key, left.tenure());
        left.closeWatch();
      }
      return remaining;
    }
  }
}
