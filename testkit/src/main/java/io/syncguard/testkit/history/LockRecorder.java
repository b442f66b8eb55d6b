package io.syncguard.testkit.history;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.ForwardingLocks;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.history.HandOffHistory.Passage;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Records every passage through a lock while it is used. Thread-safe. */
public final class LockRecorder {

  private final Progress<LockId> progress;

  /** Hands over each passage, just before its release, in the releasing thread. */
  public LockRecorder(Consumer<Passage> listener) {
    this.progress = new Progress<>(listener);
  }

  /** Returns the store with this between it and its user. */
  public Store over(Store store) {
    return new DecoratedStore(
        DecoratedStore.withLocks(store, RecordedNotices::new),
        Interception.on(LockOperation.Acquire.class, this::acquire)
            .andOn(LockOperation.Release.class, this::release));
  }

  private CompletionStage<AcquireAttempt> acquire(
      LockOperation.Acquire acquire, Call call, OperationExecutor next) {
    LockId id = acquire.lockId();
    long askedAt = System.nanoTime();
    return next.execute(acquire, call)
        .whenComplete(
            (attempt, failure) -> {
              if (failure != null) {
                progress.failed(id, askedAt);
              } else if (attempt instanceof AcquireAttempt.Queued queued) {
                progress.waits(id, queued.ticket(), askedAt);
              } else if (attempt instanceof AcquireAttempt.Granted granted) {
                progress.holds(id, 0, granted.fence().toLong(), askedAt);
              } else {
                progress.hasNothing(id);
              }
            });
  }

  private CompletionStage<ReleaseResult> release(
      LockOperation.Release release, Call call, OperationExecutor next) {
    progress.releases(release.lock().lockId());
    return next.execute(release, call);
  }

  private final class RecordedNotices extends ForwardingLocks {

    RecordedNotices(LockBackend locks) {
      super(locks);
    }

    @Override
    public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
      return super.watch(
          waiter,
          new WaiterHints<>() {
            @Override
            public void look() {
              hints.look();
            }

            @Override
            public void granted(AcquireAttempt.Granted grant) {
              progress.wasTold(waiter.lockId(), 0, grant.fence().toLong());
              hints.granted(grant);
            }
          });
    }
  }
}
