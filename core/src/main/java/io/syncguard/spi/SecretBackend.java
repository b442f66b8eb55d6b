package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import java.time.Instant;
import java.util.Optional;

/**
 * The secrets of one store. Each operation is a single, atomic attempt that nobody repeats.
 * Thread-safe.
 *
 * <p>A secret is there from {@link #put} until its last view, until it is burned, or until its ttl
 * is over on the store's clock, to the millisecond and whatever the views; nothing of its payload
 * is left in the store then, or only what the store removes by itself. What is stored under an id
 * and is not a number of views from 1 to {@link io.syncguard.secret.Views#MOST} with a payload is
 * refused with INTERNAL and reveals nothing.
 *
 * <p>Operations block, and fail with a {@link SyncGuardException}: {@code ABORTED} if the signal is
 * cancelled or the thread interrupted (whose interrupt flag is then set), and with {@link
 * SyncGuardException#isOutcomeUnknown} where the store may have carried out what was asked.
 */
public interface SecretBackend {

  /** Returns the same operations without blocking. */
  AsyncSecretBackend async();

  /**
   * Stores a secret if there is none under its id; returns when it expires, by the store's clock,
   * or nothing if there is one, which then stays as it is. Of any number of puts under the same id
   * at the same time one succeeds.
   */
  Optional<Instant> put(NewSecret secret, CancelSignal signal);

  /**
   * Counts a view and reveals the payload, byte for byte, and with the last view removes it. Of any
   * number of views at the same time, as many succeed as are left. Changes the count only: neither
   * the payload nor the expiry is written again.
   *
   * @param presented what must equal the {@link NewSecret#proofHash} that the secret was put with;
   *     if it does not, nothing is counted or revealed, in the same atomic step
   */
  ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal);

  /** Tells of a secret without revealing it. Changes nothing. */
  Optional<SecretInfo> peek(SecretId id, CancelSignal signal);

  /** Removes a secret; returns whether there was one. */
  boolean burn(SecretId id, CancelSignal signal);
}
