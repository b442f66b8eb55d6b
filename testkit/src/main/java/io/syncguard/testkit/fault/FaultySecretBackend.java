package io.syncguard.testkit.fault;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.ViewAttempt;
import java.time.Instant;
import java.util.Optional;

/** Secrets that fail on request. */
public final class FaultySecretBackend extends DelegatingSecretBackend {

  private final Faults faults = new Faults();

  /** Fails on behalf of the given backend. */
  public FaultySecretBackend(SecretBackend backend) {
    super(backend);
  }

  /** Returns what to tell it by how to fail. */
  public Faults faults() {
    return faults;
  }

  @Override
  public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
    return faults.during(() -> super.put(secret, signal));
  }

  @Override
  public ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal) {
    return faults.during(() -> super.view(id, presented, signal));
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id, CancelSignal signal) {
    return faults.during(() -> super.peek(id, signal));
  }

  @Override
  public boolean burn(SecretId id, CancelSignal signal) {
    return faults.during(() -> super.burn(id, signal));
  }
}
