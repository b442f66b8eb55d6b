package io.syncguard.semaphore;

import io.syncguard.ReleaseErrorHandler;
import io.syncguard.SyncGuardException;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/**
 * A slot of a semaphore in hand. Ownership is in this object, never in a thread: a permit may be
 * passed on and released by any thread, virtual ones included. Thread-safe.
 *
 * <p>A permit is stricter than the store: it regards itself as lost when its ttl is over, or when
 * no heartbeat was answered for as long as the store waits for one, on this machine's monotonic
 * clock.
 */
public interface Permit extends AutoCloseable {

  /** Returns the semaphore's name, raw, after NFC. */
  String name();

  /**
   * Returns how many slots were taken when this permit got its own, its own included: from 1 to the
   * limit. Two permits that are held at the same time may have the same number.
   */
  int slot();

  /** Returns when the time to hold this permit is over, by the store's clock. */
  Instant expiresAt();

  /** Returns at once whether this process may still believe that it holds the permit. */
  boolean isHeld();

  /**
   * Registers a listener and returns at once. It runs once, in a thread of its own, when the store
   * says that the permit is gone, or shortly before its time is over or its last answered heartbeat
   * is too long ago (a tenth of that time, at most 500 ms). From then on the permit is lost, for
   * good. It does not run after a release.
   */
  Permit onLost(Runnable listener);

  /**
   * Blocks while the store frees the slot, or hands it to the next in the queue, trying again while
   * the outcome is unknown, up to the guard's dispose timeout. Neither an interrupt nor a
   * cancellation stops it.
   *
   * @throws SyncGuardException if the store could not be asked; the slot is then free when the
   *     heartbeats have been missing for long enough, unless a further attempt in the background
   *     succeeds before
   */
  PermitReleaseResult release();

  /** Frees the slot as {@link #release} does; returns at once. */
  CompletionStage<PermitReleaseResult> releaseAsync();

  /**
   * Blocks while the slot is freed, as {@link #release} does. Never throws: a failure goes to the
   * guard's {@link ReleaseErrorHandler}. Later calls do nothing.
   */
  @Override
  void close();
}
