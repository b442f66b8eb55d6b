package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
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
    return new OffloadedSecretBackend(blocking, executor);
  }

  /** Stores a secret; tells when it expires. */
  CompletionStage<Instant> put(NewSecret secret, CancelSignal signal);

  /** Counts a view and reveals the payload. */
  CompletionStage<Optional<SecretView>> view(SecretId id, CancelSignal signal);

  /** Tells of a secret without revealing it. */
  CompletionStage<Optional<SecretInfo>> peek(SecretId id, CancelSignal signal);

  /** Removes a secret; tells whether there was one. */
  CompletionStage<Boolean> burn(SecretId id, CancelSignal signal);
}
