package io.syncguard.testkit.fault;

import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A client that can be paused, as its process can: nothing that it asks for reaches the store, and
 * what its waiters for locks are told they learn when it goes on, if ever. Thread-safe.
 */
public final class PausableClient {

  private final Faults faults = new Faults();
  private final List<Runnable> untold = new ArrayList<>();
  private boolean isPaused;

  /** A client that is not paused. */
  public PausableClient() {}

  /** Returns the store as this client sees it. */
  public Store over(Store store) {
    return new DecoratedStore(DecoratedStore.withLocks(store, LateNotices::new), faults);
  }

  /** Pauses it, and returns at once. */
  public synchronized void pause() {
    isPaused = true;
    faults.cutOff();
  }

  /** Has it go on, and learn what it was told meanwhile. */
  public void resume() {
    List<Runnable> late;
    synchronized (this) {
      isPaused = false;
      faults.reconnect();
      late = List.copyOf(untold);
      untold.clear();
    }
    late.forEach(Runnable::run);
  }

  private void tell(Runnable notice) {
    synchronized (this) {
      if (isPaused) {
        untold.add(notice);
        return;
      }
    }
    notice.run();
  }

  private final class LateNotices extends ForwardingLocks {

    LateNotices(LockBackend locks) {
      super(locks);
    }

    @Override
    public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
      return super.watch(
          waiter,
          new WaiterHints<>() {
            @Override
            public void look() {
              tell(hints::look);
            }

            @Override
            public void granted(AcquireAttempt.Granted grant) {
              tell(() -> hints.granted(grant));
            }
          });
    }
  }
}
