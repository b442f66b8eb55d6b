package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.internal.AttemptTime;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The operations of {@link SecretBackend} without blocking. A failure completes the stage with the
 * {@link io.syncguard.SyncGuardException} that the blocking operation would throw.
 */
public interface AsyncSecretBackend {

  /** Returns the operations of a backend that only blocks, each run by the executor. */
  static AsyncSecretBackend of(SecretBackend blocking, Executor executor) {
    return of(blocking, executor, AttemptTime.UNLIMITED);
  }

  /**
   * Returns the operations of a backend that only blocks, each run by the executor. One that it has
   * not begun after the timeout fails with SERVICE_UNAVAILABLE and is not carried out.
   */
  static AsyncSecretBackend of(SecretBackend blocking, Executor executor, Duration timeout) {
    return new OffloadedSecretBackend(blocking, executor, timeout);
  }

  /** Stores a secret if its id is new; tells when it expires. */
  CompletionStage<Optional<Instant>> put(NewSecret secret, CancelSignal signal);

  /** Counts a view that presents the right proof, and reveals the payload. */
  CompletionStage<ViewAttempt> view(SecretId id, ProofHash presented, CancelSignal signal);

  /** Tells of a secret without revealing it. */
  CompletionStage<Optional<SecretInfo>> peek(SecretId id, CancelSignal signal);

  /** Removes a secret; tells whether there was one. */
  CompletionStage<Boolean> burn(SecretId id, CancelSignal signal);
}
