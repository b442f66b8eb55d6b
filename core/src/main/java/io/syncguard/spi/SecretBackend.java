package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
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

  /** Stores a secret; returns when it expires, by the store's clock. */
  Instant put(NewSecret secret, CancelSignal signal);

  /**
   * Counts a view and reveals the payload, byte for byte, and with the last view removes it; empty
   * if there is no such secret. Of any number of views at the same time, as many succeed as are
   * left. Changes the count only: neither the payload nor the expiry is written again.
   */
  Optional<SecretView> view(SecretId id, CancelSignal signal);

  /** Tells of a secret without revealing it. Changes nothing. */
  Optional<SecretInfo> peek(SecretId id, CancelSignal signal);

  /** Removes a secret; returns whether there was one. */
  boolean burn(SecretId id, CancelSignal signal);
}
