package io.syncguard.telemetry;

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

/** A backend whose operations are reported. */
final class ObservedSecretBackend implements SecretBackend {

  private final SecretBackend backend;
  private final SecretEvents events;
  private final AsyncSecretBackend async;

  ObservedSecretBackend(SecretBackend backend, SecretEvents events) {
    this.backend = backend;
    this.events = events;
    this.async = new ObservedAsyncSecretBackend(backend.async(), events);
  }

  @Override
  public AsyncSecretBackend async() {
    return async;
  }

  @Override
  public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
    return events
        .begin(SecretEvent.Type.PUT, secret.id())
        .observe(() -> backend.put(secret, signal), SecretOutcomes::stored);
  }

  @Override
  public ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal) {
    return events
        .begin(SecretEvent.Type.VIEW, id)
        .observe(() -> backend.view(id, presented, signal), SecretOutcomes::viewed);
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id, CancelSignal signal) {
    return events
        .begin(SecretEvent.Type.PEEK, id)
        .observe(() -> backend.peek(id, signal), SecretOutcomes::found);
  }

  @Override
  public boolean burn(SecretId id, CancelSignal signal) {
    return events
        .begin(SecretEvent.Type.BURN, id)
        .observe(() -> backend.burn(id, signal), SecretOutcomes::burned);
  }
}
