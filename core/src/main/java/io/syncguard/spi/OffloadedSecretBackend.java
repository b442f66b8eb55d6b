package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Runs a blocking backend's operations in an executor. */
final class OffloadedSecretBackend implements AsyncSecretBackend {

  private final SecretBackend blocking;
  private final Executor executor;

  OffloadedSecretBackend(SecretBackend blocking, Executor executor) {
    this.blocking = blocking;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Instant> put(NewSecret secret, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.put(secret, signal));
  }

  @Override
  public CompletionStage<Optional<SecretView>> view(SecretId id, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.view(id, signal));
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretId id, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.peek(id, signal));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretId id, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.burn(id, signal));
  }
}
