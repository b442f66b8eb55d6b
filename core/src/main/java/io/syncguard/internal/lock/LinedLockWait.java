package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockOptions;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Waits where the store has no queue: the waiters of this process line up, and the first asks, when
 * it is told to look and from time to time.
 */
final class LinedLockWait extends LockWait {

  private LocalLines.@Nullable Place place;
  private int polls;
  private int retries;

  LinedLockWait(LockEngine engine, ResourceKey key, LockOptions options, CancelSignal signal) {
    super(engine, key, options, signal);
  }

  @Override
  protected boolean mayAsk() {
    if (place == null) {
      place = engine().lines().join(key(), this::look);
    }
    return place.isFirst();
  }

  @Override
  protected Operation<AcquireAttempt> question(boolean last) {
    return attempt(isWatched() && !last);
  }

  @Override
  void contended(AcquireAttempt answer) {
    boolean wasWatched = isWatched();
    if (!wasWatched && watch() != null) {
      // What changed before the store began to tell is not told.
      askAgainIn(0);
      return;
    }
    if (isCausedByTimer()) {
      polls++;
      // A store that answers and will tell is not polled: the waiter waits.
      retries += wasWatched ? 0 : 1;
    }
    if (retries >= mostRetries()) {
      leave();
      throw timedOut("with " + retries + " retries");
    }
    long remaining =
        answer instanceof AcquireAttempt.Held held
            ? TimeSource.saturatedNanos(held.remaining())
            : Long.MAX_VALUE;
    askAgainIn(Math.min(pauseNanos(polls), remaining));
  }

  @Override
  void leave() {
    LocalLines.Place left = place;
    place = null;
    super.leave();
    if (left != null) {
      left.leave();
    }
  }

  @Override
  boolean hasPlace() {
    return false;
  }
}
