package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.ViewAttempt;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Secrets in a map. Each operation takes effect in one atomic step on its id's entry. */
final class MemorySecrets implements SecretBackend, Sweeper.Sweepable {

  private final StoreClock clock;
  private final ConcurrentHashMap<SecretId, StoredSecret> secrets = new ConcurrentHashMap<>();
  private final AsyncSecretBackend async = AsyncSecretBackend.of(this, Runnable::run);
  private final OpenState open = new OpenState();
  private final Sweeper sweeper;

  MemorySecrets(StoreClock clock) {
    this.clock = clock;
    this.sweeper = new Sweeper(clock.time(), this);
  }

  @Override
  public AsyncSecretBackend async() {
    return async;
  }

  @Override
  public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
    open.begin(signal);
    long nowMs = clock.nowMs();
    long expiresAtMs = nowMs + secret.ttl().toMillis();
    StoredSecret stored =
        new StoredSecret(secret.payload(), secret.proofHash(), secret.views().count(), expiresAtMs);
    StoredSecret kept =
        secrets.merge(secret.id(), stored, (there, added) -> there.isOverAt(nowMs) ? added : there);
    sweeper.start();
    return kept == stored ? Optional.of(Instant.ofEpochMilli(expiresAtMs)) : Optional.empty();
  }

  @Override
  public ViewAttempt view(SecretId id, ProofHash presented, CancelSignal signal) {
    open.begin(signal);
    Counting counting = new Counting(presented);
    secrets.computeIfPresent(id, (key, stored) -> counting.count(stored));
    return counting.attempt;
  }

  /** One view of an entry that may have expired. */
  private final class Counting {

    private final ProofHash presented;
    private ViewAttempt attempt = new ViewAttempt.NotFound();

    Counting(ProofHash presented) {
      this.presented = presented;
    }

    @Nullable StoredSecret count(StoredSecret stored) {
      if (stored.isOverAt(clock.nowMs())) {
        return null;
      }
      if (!stored.isProvenBy(presented)) {
        attempt = new ViewAttempt.WrongProof();
        return stored;
      }
      attempt =
          new ViewAttempt.Revealed(new SecretView(stored.payload().clone(), stored.views() - 1));
      return stored.views() == 1 ? null : stored.viewedOnce();
    }
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id, CancelSignal signal) {
    open.begin(signal);
    return Optional.ofNullable(secrets.get(id))
        .filter(stored -> !stored.isOverAt(clock.nowMs()))
        .map(StoredSecret::info);
  }

  @Override
  public boolean burn(SecretId id, CancelSignal signal) {
    open.begin(signal);
    StoredSecret stored = secrets.remove(id);
    return stored != null && !stored.isOverAt(clock.nowMs());
  }

  @Override
  public boolean sweep() {
    long nowMs = clock.nowMs();
    secrets.values().removeIf(stored -> stored.isOverAt(nowMs));
    return !secrets.isEmpty();
  }

  int size() {
    return secrets.size();
  }

  void close() {
    open.close();
    secrets.clear();
  }
}
