package io.syncguard.testkit.fault;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.ViewAttempt;
import java.time.Instant;
import java.util.Optional;

/**
 * Passes everything on to a backend; for tests that change one thing about it. Its asynchronous
 * operations are the blocking ones, so that a change need be made once only.
 */
public abstract class DelegatingSecretBackend implements SecretBackend {

  private final SecretBackend backend;
  private final AsyncSecretBackend async = AsyncSecretBackend.of(this, BlockingThreads::execute);

  /** Passes on to the given backend. */
  protected DelegatingSecretBackend(SecretBackend backend) {
    this.backend = backend;
  }

  @Override
  public AsyncSecretBackend async() {
    return async;
  }

  @Override
  public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
    return backend.put(secret, signal);
  }

  @Override
  public ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal) {
    return backend.view(id, presented, signal);
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id, CancelSignal signal) {
    return backend.peek(id, signal);
  }

  @Override
  public boolean burn(SecretId id, CancelSignal signal) {
    return backend.burn(id, signal);
  }
}
