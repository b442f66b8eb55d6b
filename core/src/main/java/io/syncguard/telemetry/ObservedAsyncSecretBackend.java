package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.ViewAttempt;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** An asynchronous backend whose operations are reported. */
final class ObservedAsyncSecretBackend implements AsyncSecretBackend {

  private final AsyncSecretBackend backend;
  private final SecretEvents events;

  ObservedAsyncSecretBackend(AsyncSecretBackend backend, SecretEvents events) {
    this.backend = backend;
    this.events = events;
  }

  @Override
  public CompletionStage<Optional<Instant>> put(NewSecret secret, CancelSignal signal) {
    Operation<SecretEvent.Reason> operation = events.begin(SecretEvent.Type.PUT, secret.id());
    return operation.observe(backend.put(secret, signal), SecretOutcomes::stored);
  }

  @Override
  public CompletionStage<ViewAttempt> view(SecretId id, ProofHash presented, CancelSignal signal) {
    Operation<SecretEvent.Reason> operation = events.begin(SecretEvent.Type.VIEW, id);
    return operation.observe(backend.view(id, presented, signal), SecretOutcomes::viewed);
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretId id, CancelSignal signal) {
    Operation<SecretEvent.Reason> operation = events.begin(SecretEvent.Type.PEEK, id);
    return operation.observe(backend.peek(id, signal), SecretOutcomes::found);
  }

  @Override
  public CompletionStage<Boolean> burn(SecretId id, CancelSignal signal) {
    Operation<SecretEvent.Reason> operation = events.begin(SecretEvent.Type.BURN, id);
    return operation.observe(backend.burn(id, signal), SecretOutcomes::burned);
  }
}
