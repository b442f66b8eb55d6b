package io.syncguard.testkit.history;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.ForwardingSemaphores;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.history.HandOffHistory.Passage;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Records every passage through a semaphore while it is used. Thread-safe. */
public final class PermitRecorder {

  private final Progress<PermitId> progress;

  /** Hands over each passage, just before its release, in the releasing thread. */
  public PermitRecorder(Consumer<Passage> listener) {
    this.progress = new Progress<>(listener);
  }

  /** Returns the store with this between it and its user. */
  public Store over(Store store) {
    return new DecoratedStore(
        DecoratedStore.withSemaphores(store, RecordedNotices::new),
        Interception.on(SemaphoreOperation.Acquire.class, this::acquire)
            .andOn(SemaphoreOperation.Release.class, this::release));
  }

  private CompletionStage<PermitAttempt> acquire(
      SemaphoreOperation.Acquire acquire, Call call, OperationExecutor next) {
    PermitId id = acquire.permit().id();
    long askedAt = System.nanoTime();
    return next.execute(acquire, call)
        .whenComplete(
            (attempt, failure) -> {
              if (failure != null) {
                progress.failed(id, askedAt);
              } else if (attempt instanceof PermitAttempt.Waiting waiting) {
                progress.waits(id, waiting.ticket(), askedAt);
              } else if (attempt instanceof PermitAttempt.Held held) {
                progress.holds(id, held.slot(), 0, askedAt);
              } else {
                progress.hasNothing(id);
              }
            });
  }

  private CompletionStage<PermitReleaseResult> release(
      SemaphoreOperation.Release release, Call call, OperationExecutor next) {
    progress.releases(release.permit().id());
    return next.execute(release, call);
  }

  private final class RecordedNotices extends ForwardingSemaphores {

    RecordedNotices(SemaphoreBackend semaphores) {
      super(semaphores);
    }

    @Override
    public Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
      return super.watch(
          waiter,
          new WaiterHints<>() {
            @Override
            public void look() {
              hints.look();
            }

            @Override
            public void granted(PermitAttempt.Held held) {
              progress.wasTold(waiter.id(), held.slot(), 0);
              hints.granted(held);
            }
          });
    }
  }
}
