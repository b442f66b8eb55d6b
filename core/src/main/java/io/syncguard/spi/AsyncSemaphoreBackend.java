package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.internal.AttemptTime;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The operations of {@link SemaphoreBackend} without blocking. A failure completes the stage with
 * the {@link io.syncguard.SyncGuardException} that the blocking operation would throw.
 */
public interface AsyncSemaphoreBackend {

  /** Returns the operations of a backend that only blocks, each run by the executor. */
  static AsyncSemaphoreBackend of(SemaphoreBackend blocking, Executor executor) {
    return of(blocking, executor, AttemptTime.UNLIMITED);
  }

  /**
   * Returns the operations of a backend that only blocks, each run by the executor. One that it has
   * not begun after the timeout fails with SERVICE_UNAVAILABLE and is not carried out.
   */
  static AsyncSemaphoreBackend of(SemaphoreBackend blocking, Executor executor, Duration timeout) {
    return new OffloadedSemaphoreBackend(blocking, executor, timeout);
  }

  /** Gets a slot, or a place in the queue. */
  CompletionStage<PermitAttempt> acquire(PermitRequest request, CancelSignal signal);

  /** Gives up a slot, confirmed or not, or a place in the queue. */
  CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout);

  /** Notes that permits are alive and tells what they are, in the same order. */
  CompletionStage<List<PermitState>> ping(Heartbeat heartbeat);

  /** Changes the limit of a name in use; tells whether it is in use. */
  CompletionStage<Boolean> resize(ResourceKey name, int limit, CancelSignal signal);

  /** Tells how a name is used now. */
  CompletionStage<Optional<SemaphoreStats>> stats(ResourceKey name, CancelSignal signal);

  /** Tells how every name in use is used now. */
  CompletionStage<List<SemaphoreStats>> stats(CancelSignal signal);
}
