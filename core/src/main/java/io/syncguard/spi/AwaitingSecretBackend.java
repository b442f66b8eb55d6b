package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import java.time.Instant;
import java.util.Optional;

/**
 * The blocking operations of a store whose own are asynchronous: each waits for its stage. The
 * stages must complete by themselves in the end, and at once when the signal is cancelled.
 */
public class AwaitingSecretBackend implements SecretBackend {

  private final AsyncSecretBackend async;

  /** Blocks for the given operations. */
  public AwaitingSecretBackend(AsyncSecretBackend async) {
    this.async = async;
  }

  @Override
  public final AsyncSecretBackend async() {
    return async;
  }

  @Override
  public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
    return Stages.await(async.put(secret, signal));
  }

  @Override
  public ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal) {
    return Stages.await(async.view(id, presented, signal));
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id, CancelSignal signal) {
    return Stages.await(async.peek(id, signal));
  }

  @Override
  public boolean burn(SecretId id, CancelSignal signal) {
    return Stages.await(async.burn(id, signal));
  }
}
