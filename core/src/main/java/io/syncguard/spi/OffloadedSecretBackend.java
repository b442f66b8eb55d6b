package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Runs a blocking backend's operations in an executor. */
final class OffloadedSecretBackend implements AsyncSecretBackend {

  private final SecretBackend blocking;
  private final Offloading threads;

  OffloadedSecretBackend(SecretBackend blocking, Executor executor, Duration timeout) {
    this.blocking = blocking;
    this.threads = new Offloading(executor, timeout);
  }

  @Override
  public CompletionStage<Optional<Instant>> put(NewSecret secret, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.put(secret, signal));
  }

  @Override
  public CompletionStage<ViewAttempt> view(SecretId id, ProofHash presented, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.view(id, presented, signal));
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretId id, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.peek(id, signal));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretId id, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.burn(id, signal));
  }
}
