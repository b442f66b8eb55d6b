package io.syncguard.lock;

import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Lines up the waiters of this process, so that for each key only the first one asks the store. */
final class WaitingLines {

  private final LockBackend backend;
  private final RecentKeys waitedForLately;
  private final ConcurrentHashMap<ResourceKey, Line> lines = new ConcurrentHashMap<>();

  WaitingLines(LockBackend backend, TimeSource time) {
    this.backend = backend;
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
    Line line =
        lines.compute(
            key,
            (k, existing) -> {
              isNew[0] = existing == null;
              Line joined = existing == null ? new Line() : existing;
              joined.add(place);
              return joined;
            });
    place.line = line;
    if (isNew[0]) {
      try {
        line.openWatch(key);
      } catch (RuntimeException e) {
        place.close();
        throw e;
      }
    }
    return place;
  }

  /** Passes on that this process released the lock, unless the store will tell the first waiter. */
  void released(ResourceKey key) {
    Line line = lines.get(key);
    if (line != null) {
      line.released();
    }
  }

  void wakeAll() {
    List<Place> waiting = new ArrayList<>();
    for (ResourceKey key : lines.keySet()) {
      lines.computeIfPresent(
          key,
          (k, line) -> {
            waiting.addAll(line.places);
            return line;
          });
    }
    waiting.forEach(place -> place.wakeUp.run());
  }

  /** A waiter's place in the line. */
  final class Place implements AutoCloseable {

    private final ResourceKey key;
    private final Runnable wakeUp;
    private volatile @Nullable Line line;
    private volatile boolean hinted;
    private volatile boolean known;
    private boolean wasFirst;

    private Place(ResourceKey key, Runnable wakeUp) {
      this.key = key;
      this.wakeUp = wakeUp;
    }

    boolean isFirst() {
      Line mine = line;
      return mine != null && mine.first == this;
    }

    boolean isWatched() {
      Line mine = line;
      return mine != null && mine.isWatched();
    }

    /** Returns whether nobody else in this process waits for the key. */
    boolean isAlone() {
      Line mine = line;
      return mine == null || mine.length <= 1;
    }

    /** Returns whether there was a hint since the last time. */
    boolean takeHint() {
      if (!hinted) {
        return false;
      }
      hinted = false;
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
      Line mine = line;
      return mine != null && mine.heldHere;
    }

    /**
     * Leaves the line with the lock in hand. The next one is not woken: it has nothing to ask
     * before the lock is released, and that will wake it.
     */
    void leaveWithLock() {
      Line mine = line;
      if (mine != null) {
        mine.heldHere = true;
      }
      leave();
    }

    /** Leaves the line; if this was the first place, the next one's turn comes. */
    @Override
    public void close() {
      Line remaining = leave();
      if (wasFirst && remaining != null) {
        remaining.wakeFirst();
      }
    }

    private @Nullable Line leave() {
      Line left = line;
      if (left == null) {
        return null;
      }
      line = null;
      Line remaining = lines.computeIfPresent(key, (k, existing) -> existing.removeAndKeep(this));
      if (remaining == null) {
        waitedForLately.add(key);
        left.closeWatch();
      }
      return remaining;
    }
  }

  private final class Line {

    /** Changed only inside the map's compute. */
    private final Set<Place> places = new LinkedHashSet<>();

    private volatile @Nullable Place first;
    private volatile int length;
    private volatile boolean heldHere;
    private @Nullable LockWatch watch;
    private boolean watchClosed;

    void add(Place place) {
      places.add(place);
      length = places.size();
      if (first == null) {
        first = place;
      }
    }

    @Nullable Line removeAndKeep(Place place) {
      place.wasFirst = first == place;
      places.remove(place);
      length = places.size();
      first = places.isEmpty() ? null : places.iterator().next();
      return first == null ? null : this;
    }

    synchronized boolean isWatched() {
      return watch != null;
    }

    synchronized boolean isTold() {
      return watch != null && watch.isTold();
    }

    void openWatch(ResourceKey key) {
      Optional<LockWatch> opened = backend.watch(key, this::hint);
      synchronized (this) {
        if (!watchClosed) {
          watch = opened.orElse(null);
          return;
        }
      }
      opened.ifPresent(LockWatch::close);
    }

    void closeWatch() {
      LockWatch toClose;
      synchronized (this) {
        watchClosed = true;
        toClose = watch;
        watch = null;
      }
      if (toClose != null) {
        toClose.close();
      }
    }

    void released() {
      heldHere = false;
      Place place = first;
      if (place != null && !(place.known && isTold())) {
        hint();
      }
    }

    void hint() {
      Place place = first;
      if (place != null) {
        place.hinted = true;
        place.wakeUp.run();
      }
    }

    void wakeFirst() {
      Place place = first;
      if (place != null) {
        place.wakeUp.run();
      }
    }
  }
}
