package io.syncguard.internal.lock;

import io.syncguard.internal.operation.Operations;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.LockOperation.KeepWaiting;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The places of one guard's waiters in the queues of locks. Shows that they live, all of them by
 * one request, which names the first waiter for each key: the store then grants what is free, and
 * says which of these waiters has no place any more. So a notice that was lost costs time and no
 * lock. Thread-safe.
 */
final class LockPlaces {

  /** Where the store tells a waiter nothing, this is how long a free lock may stay unused. */
  private static final Duration POLLING = Duration.ofMillis(100);

  private static final Duration AFTER_FAILURE = QueueTimes.BEAT.dividedBy(4);
  private static final Logger log = LoggerFactory.getLogger(LockPlaces.class);

  private final Operations operations;
  private final TimeSource time;
  private final ConcurrentHashMap<ResourceKey, TreeSet<QueuedLock>> places =
      new ConcurrentHashMap<>();
  private TimeSource.@Nullable Timer timer;
  private long firesAt;

  LockPlaces(Operations operations, TimeSource time) {
    this.operations = operations;
    this.time = time;
  }

  void add(QueuedLock place) {
    places.compute(
        place.key(),
        (key, present) -> {
          TreeSet<QueuedLock> all = present == null ? new TreeSet<>(QueuedLock.ORDER) : present;
          all.add(place);
          return all;
        });
    beatWithin(untilLook(place));
  }

  /** A holder that is about to expire is succeeded then, and not a beat later. */
  private static Duration untilLook(QueuedLock place) {
    Duration usual = place.polls().getAsBoolean() ? POLLING : QueueTimes.BEAT;
    Duration left = place.remaining().compareTo(POLLING) < 0 ? POLLING : place.remaining();
    return left.compareTo(usual) < 0 ? left : usual;
  }

  void remove(QueuedLock place) {
    places.computeIfPresent(
        place.key(),
        (key, all) -> {
          all.remove(place);
          return all.isEmpty() ? null : all;
        });
  }

  /** Sends nothing more. */
  void close() {
    places.clear();
    synchronized (this) {
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    }
  }

  private synchronized void beatWithin(Duration delay) {
    long at = time.nanoTime() + delay.toNanos();
    if (timer != null) {
      if (firesAt - at <= 0) {
        return;
      }
      timer.cancel();
    }
    firesAt = at;
    timer = time.schedule(this::beat, delay);
  }

  private void beat() {
    synchronized (this) {
      timer = null;
    }
    List<QueuedLock> firsts = firsts();
    if (firsts.isEmpty()) {
      return;
    }
    boolean polls = firsts.stream().anyMatch(place -> place.polls().getAsBoolean());
    for (int from = 0; from < firsts.size(); from += KeepWaiting.MOST_WAITERS) {
      int to = Math.min(firsts.size(), from + KeepWaiting.MOST_WAITERS);
      send(firsts.subList(from, to));
    }
    beatWithin(polls ? POLLING : QueueTimes.BEAT);
  }

  private List<QueuedLock> firsts() {
    List<QueuedLock> firsts = new ArrayList<>();
    for (ResourceKey key : places.keySet()) {
      places.computeIfPresent(
          key,
          (same, all) -> {
            firsts.add(all.first());
            return all;
          });
    }
    return firsts;
  }

  private void send(List<QueuedLock> firsts) {
    long askedAt = time.nanoTime();
    operations
        .begin(new KeepWaiting(firsts.stream().map(QueuedLock::waiter).toList()), Call.plain())
        .whenComplete(
            (states, failure) -> {
              if (failure == null) {
                answered(firsts, states, askedAt);
              } else if (!places.isEmpty()) {
                beatWithin(AFTER_FAILURE);
              }
            });
  }

  private static void answered(List<QueuedLock> firsts, List<PlaceState> states, long askedAt) {
    for (int i = 0; i < firsts.size(); i++) {
      QueuedLock place = firsts.get(i);
      PlaceState state = states.get(i);
      try {
        if (state == PlaceState.WAITING) {
          place.stillWaiting().accept(askedAt);
        } else {
          place.lookAgain().run();
        }
      } catch (RuntimeException | Error e) {
        // What fails for one waiter must not end the others' wait.
        log.warn("A waiter could not be woken", e);
      }
    }
  }
}
