package io.syncguard.spi.semaphore;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The fair semaphores of one store. Each operation is a single, atomic step; waiting, heartbeats,
 * permits and telemetry are built on top of it. Thread-safe.
 *
 * <p>A permit is unknown, waiting, granted or held. All operations but {@code stats} begin by
 * settling the name, in the same step:
 *
 * <ol>
 *   <li>A permit whose last sign of life is longer ago than its heartbeat timeout, that has been
 *       held for longer than its ttl, or that has not confirmed a grant within {@link GrantLease},
 *       is forgotten.
 *   <li>While fewer slots are taken than the limit allows, the first in the queue is granted one
 *       and hinted.
 * </ol>
 *
 * <p>A step may leave the dead to a later one if it would end the same with them: one that finds a
 * slot, confirms one or passes one on. {@link #ping} and an acquisition that finds no slot may not,
 * unless so many are dead that the store would be busy with them for too long: then they still have
 * them forgotten, in further steps.
 *
 * <p>{@link #release} and {@link #resize} end with the second step too. So a free slot and a queue
 * never stand side by side, and a slot that a dead holder leaves is granted by the next heartbeat
 * of a waiter.
 *
 * <p>Time is the store's, never a client's. Of a name that is not in use nothing is left, or only
 * what expires by itself. How operations block and fail is the same for every primitive: {@link
 * OperationExecutor}.
 */
public interface SemaphoreBackend {

  /**
   * Gets a slot, or a place in the queue.
   *
   * <ul>
   *   <li>Unknown: is refused if the name is in use with another limit; holds a slot if one is free
   *       and the queue is empty; otherwise joins the end of the queue, if it {@linkplain
   *       SemaphoreOperation.Acquire#waits waits}.
   *   <li>Waiting: keeps its place if it waits, and leaves the queue otherwise.
   *   <li>Granted: confirms, and holds from now on for the ttl.
   *   <li>Held, because an earlier reply was lost: is answered with what is stored.
   * </ul>
   *
   * In every case but a refusal this is also a sign of life.
   */
  CompletionStage<PermitAttempt> acquire(SemaphoreOperation.Acquire acquire, Call call);

  /**
   * Gives up a slot, confirmed or not, or a place in the queue.
   *
   * <p>The next in the queue is granted the slot in the same step. If it is a waiter of this very
   * backend, the answer may tell of the grant: then its watch is told before the stage completes.
   */
  CompletionStage<PermitReleaseResult> release(SemaphoreOperation.Release release, Call call);

  /**
   * Confirms a slot that was granted, if it is still there: it is held from then on for the ttl.
   * Unlike {@link #acquire} it takes no slot and no place. Used only where waiters are told of
   * grants themselves.
   */
  default CompletionStage<PermitState> confirm(SemaphoreOperation.Confirm confirm, Call call) {
    throw new UnsupportedOperationException("These semaphores tell no waiter of a grant");
  }

  /**
   * Notes that permits are alive and returns what they are, in the same order. One that was
   * forgotten stays so.
   */
  CompletionStage<List<PermitState>> ping(SemaphoreOperation.Ping ping, Call call);

  /**
   * Changes the limit of a name in use; returns false, and changes nothing, if it is not in use. A
   * holder of a slot beyond a smaller limit keeps it.
   */
  CompletionStage<Boolean> resize(SemaphoreOperation.Resize resize, Call call);

  /** Returns how a name is used now, without the dead; empty if it is not. Changes nothing. */
  CompletionStage<Optional<SemaphoreStats>> stats(SemaphoreOperation.Stats question, Call call);

  /** Returns how every name in use is used now. Changes nothing. Not atomic over the names. */
  CompletionStage<List<SemaphoreStats>> stats(SemaphoreOperation.AllStats question, Call call);

  /**
   * Opens a waiter's interest and returns at once, without asking the store; empty if this store
   * cannot notify and has to be polled. After a {@link SemaphoreOperation.Acquire#watched} attempt
   * was answered with {@link PermitAttempt.Waiting}, the waiter is told when the permit may have
   * been granted a slot: to look, or of the slot itself, which it then has to {@link #confirm}.
   */
  default Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
    return Optional.empty();
  }
}
