package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockOptions;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import org.jspecify.annotations.Nullable;

/** Waits in the store's queue, which grants. */
final class QueuedLockWait extends LockWait {

  private @Nullable QueuedLock place;

  QueuedLockWait(LockEngine engine, ResourceKey key, LockOptions options, CancelSignal signal) {
    super(engine, key, options, signal);
  }

  @Override
  protected Operation<AcquireAttempt> question(boolean last) {
    if (!last) {
      watch();
    }
    return attempt(!last);
  }

  @Override
  void contended(AcquireAttempt answer) {
    if (answer instanceof AcquireAttempt.Queued queued) {
      keepPlace(queued.ticket());
      takePlace(queued);
    } else {
      leavePlace();
      askAgainIn(pauseNanos(0));
    }
  }

  private void takePlace(AcquireAttempt.Queued queued) {
    if (place != null && place.ticket() != queued.ticket()) {
      leavePlace();
    }
    if (place == null) {
      Watch watch = watch();
      place =
          new QueuedLock(
              reference(),
              queued.ticket(),
              queued.remaining(),
              () -> watch == null || !watch.isTold(),
              this::look,
              this::stillPlacedAt);
      engine().places().add(place);
    }
  }

  private void leavePlace() {
    if (place != null) {
      engine().places().remove(place);
      place = null;
    }
  }

  @Override
  void leave() {
    leavePlace();
    super.leave();
  }

  @Override
  boolean hasPlace() {
    return place != null;
  }
}
