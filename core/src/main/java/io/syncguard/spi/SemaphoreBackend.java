package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The fair semaphores of one store. Each operation is a single, atomic step; waiting, heartbeats,
 * permits and telemetry are built on top of it. Thread-safe.
 *
 * <p>A permit is unknown, waiting, granted or held. All operations but {@code stats} begin by
 * settling the name, in the same step:
 *
 * <ol>
 *   <li>Whoever's last sign of life is longer ago than its heartbeat timeout, whoever has held
 *       longer than its ttl, and whoever has not confirmed a grant within {@link GrantLease}, is
 *       forgotten.
 *   <li>While fewer slots are taken than the limit allows, the first in the queue is granted one
 *       and hinted.
 * </ol>
 *
 * <p>A step may leave the dead to a later one if it would end the same with them: one that finds a
 * slot, confirms one or passes one on. {@link #ping} and whoever finds no slot may not, unless so
 * many are dead that the store would be busy with them for too long: then they still have them
 * forgotten, in further steps.
 *
 * <p>{@link #release} and {@link #resize} end with the second step too. So a free slot and a queue
 * never stand side by side, and a slot that a dead holder leaves is granted by the next heartbeat
 * of anybody who waits.
 *
 * <p>Time is the store's, never a client's. Of a name that nobody uses nothing is left, or only
 * what expires by itself. Operations block, and fail with a {@link SyncGuardException}: {@code
 * ABORTED} if the signal is cancelled or the thread interrupted (whose interrupt flag is then set),
 * and with {@link SyncGuardException#isOutcomeUnknown} where the store may have carried out what
 * was asked.
 */
public interface SemaphoreBackend {

  /** Returns the same operations without blocking. */
  AsyncSemaphoreBackend async();

  /**
   * Gets a slot, or a place in the queue.
   *
   * <ul>
   *   <li>Unknown: is refused if the name is in use with another limit; holds a slot if one is free
   *       and nobody is queued; otherwise joins the end of the queue, if it {@linkplain
   *       PermitRequest#waits waits}.
   *   <li>Waiting: keeps its place if it waits, and leaves the queue otherwise.
   *   <li>Granted: confirms, and holds from now on for the ttl.
   *   <li>Held, because an earlier reply was lost: is answered with what is stored.
   * </ul>
   *
   * In every case but a refusal this is also a sign of life.
   */
  PermitAttempt acquire(PermitRequest request, CancelSignal signal);

  /**
   * Gives up a slot, confirmed or not, or a place in the queue.
   *
   * <p>If the next in the queue is a waiter of this very backend with a watch open, the slot may be
   * its own, confirmed, in the same step. It is then hinted, and its next attempt is answered with
   * {@link PermitAttempt.Held}, perhaps without asking the store; even before the store has heard
   * of the release, if nothing that the store may do until then gives the slot to somebody else.
   *
   * @param timeout after which to fail with NETWORK_TIMEOUT; a release cannot be cancelled
   *     otherwise
   */
  PermitReleaseResult release(PermitReference permit, Duration timeout);

  /**
   * Notes that permits are alive and returns what they are, in the same order. One that was
   * forgotten stays so.
   */
  List<PermitState> ping(Heartbeat heartbeat);

  /**
   * Changes the limit of a name in use; returns false, and changes nothing, if it is not in use.
   * Whoever holds a slot beyond a smaller limit keeps it; so does a waiter of the same backend to
   * whom it is handed on by a release before that backend has heard of the new limit.
   */
  boolean resize(ResourceKey name, int limit, CancelSignal signal);

  /** Returns how a name is used now, without the dead; empty if it is not. Changes nothing. */
  Optional<SemaphoreStats> stats(ResourceKey name, CancelSignal signal);

  /** Returns how every name in use is used now. Changes nothing. Not atomic over the names. */
  List<SemaphoreStats> stats(CancelSignal signal);

  /**
   * Opens a waiter's interest and returns at once, without asking the store; empty if this store
   * cannot notify and has to be polled. After a {@link PermitRequest#watched} attempt was answered
   * with {@link PermitAttempt.Waiting}, the hint runs when the permit may have been granted a slot.
   * It may run at other times too, in any thread, and must not block. It may also get lost.
   */
  default Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    return Optional.empty();
  }
}
