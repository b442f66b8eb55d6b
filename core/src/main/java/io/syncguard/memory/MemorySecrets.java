package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.spi.AsyncSecretBackend;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.SecretBackend;
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
  public Instant put(NewSecret secret, CancelSignal signal) {
    open.begin(signal);
    long expiresAtMs = clock.nowMs() + secret.ttl().toMillis();
    secrets.put(
        secret.id(), new StoredSecret(secret.payload(), secret.views().count(), expiresAtMs));
    sweeper.start();
    return Instant.ofEpochMilli(expiresAtMs);
  }

  @Override
  public Optional<SecretView> view(SecretId id, CancelSignal signal) {
    open.begin(signal);
    Counting counting = new Counting();
    secrets.computeIfPresent(id, (key, stored) -> counting.count(stored));
    StoredSecret viewed = counting.viewed;
    return viewed == null
        ? Optional.empty()
        : Optional.of(new SecretView(viewed.payload().clone(), viewed.views() - 1));
  }

  /** One view of an entry that may have expired. */
  private final class Counting {

    private @Nullable StoredSecret viewed;

    @Nullable StoredSecret count(StoredSecret stored) {
      if (stored.isOverAt(clock.nowMs())) {
        return null;
      }
      viewed = stored;
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
