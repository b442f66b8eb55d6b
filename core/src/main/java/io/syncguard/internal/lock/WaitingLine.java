package io.syncguard.internal.lock;

import io.syncguard.internal.GuardContext;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Watch;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The waiters of this process for one key. Its places change only inside the map's compute. */
final class WaitingLine {

  private final GuardContext guard;
  private final TimeSource time;
  private final Set<WaitingLines.Place> places = new LinkedHashSet<>();

  private volatile Tenure tenure;
  private volatile WaitingLines.@Nullable Place first;
  private @Nullable Watch watch;
  private boolean watchClosed;

  WaitingLine(GuardContext guard, Tenure tenure) {
    this.guard = guard;
    this.time = guard.time();
    this.tenure = tenure;
  }

  void add(WaitingLines.Place place) {
    places.add(place);
    if (first == null) {
      first = place;
    }
  }

  /** Returns whether a waiter is left. */
  boolean remove(WaitingLines.Place place) {
    place.wasFirst = first == place;
    places.remove(place);
    first = places.isEmpty() ? null : places.iterator().next();
    return first != null;
  }

  List<WaitingLines.Place> places() {
    return List.copyOf(places);
  }

  WaitingLines.@Nullable Place first() {
    return first;
  }

  Tenure tenure() {
    return tenure;
  }

  /** For a tenure whose end this line might not be told of. */
  void forgetTenure() {
    tenure = new Tenure();
  }

  synchronized boolean isWatched() {
    return watch != null;
  }

  private synchronized boolean isTold() {
    return watch != null && watch.isTold();
  }

  void openWatch(ResourceKey key) {
    Optional<Watch> opened = guard.store().locks().watch(key, this::hint);
    synchronized (this) {
      if (!watchClosed) {
        watch = opened.orElse(null);
        return;
      }
    }
    opened.ifPresent(Watch::close);
  }

  void closeWatch() {
    Watch toClose;
    synchronized (this) {
      watchClosed = true;
      toClose = watch;
      watch = null;
    }
    if (toClose != null) {
      toClose.close();
    }
  }

  /** Returns the attempt of the first waiter, to be made behind the release, if it may be. */
  @Nullable Offer takeOfferFor(LockId released) {
    WaitingLines.Place place = first;
    Offer offer = place == null ? null : place.offer;
    return offer != null
            && tenure.isHeldBy(released)
            && !tenure.isOver(time.nanoTime())
            && offer.takeAsReleaser(time)
        ? offer
        : null;
  }

  void released(LockId lockId) {
    if (!tenure.end(lockId)) {
      return;
    }
    WaitingLines.Place place = first;
    if (place == null || isBeingHandedOverTo(place) || (place.known && isTold())) {
      return;
    }
    if (tenure.isOver(time.nanoTime())) {
      place.yielding = true;
      wake(place);
    } else {
      hint();
    }
  }

  private static boolean isBeingHandedOverTo(WaitingLines.Place place) {
    Offer offer = place.offer;
    return offer != null && offer.isHandOver();
  }

  /** Passes on that the lock may be free. */
  void hint() {
    WaitingLines.Place place = first;
    if (place == null) {
      return;
    }
    Offer offer = place.offer;
    if (offer != null && isWatched() && offer.takeAsHinted(time)) {
      offer.attempt(guard.operations());
    } else {
      wake(place);
    }
  }

  private static void wake(WaitingLines.Place place) {
    place.hinted = true;
    place.wakeUp.run();
  }

  void wakeFirst() {
    WaitingLines.Place place = first;
    if (place != null) {
      place.wakeUp.run();
    }
  }
}
