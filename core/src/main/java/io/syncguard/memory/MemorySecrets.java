package io.syncguard.memory;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.spi.Call;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Secrets in a map. Each operation takes effect in one atomic step on its id's entry. */
final class MemorySecrets extends MemoryPart implements SecretBackend {

  /** A secret and how many views are left of it. Compared by identity. */
  private static final class Entry {

    private final NewSecret secret;
    private final int views;
    private final long expiresAtMs;

    Entry(NewSecret secret, int views, long expiresAtMs) {
      this.secret = secret;
      this.views = views;
      this.expiresAtMs = expiresAtMs;
    }

    boolean isOverAt(long nowMs) {
      return nowMs >= expiresAtMs;
    }

    boolean isProvenBy(ProofHash presented) {
      return secret.proofHash().equals(presented);
    }

    SecretView viewed() {
      return new SecretView(secret.payload().clone(), views - 1);
    }

    @Nullable Entry next() {
      return views == 1 ? null : new Entry(secret, views - 1, expiresAtMs);
    }

    SecretInfo info() {
      return new SecretInfo(views, Instant.ofEpochMilli(expiresAtMs));
    }
  }

  private final ConcurrentHashMap<SecretId, Entry> entries = new ConcurrentHashMap<>();

  MemorySecrets(StoreClock clock) {
    super(clock);
  }

  @Override
  public CompletionStage<Optional<Instant>> put(SecretOperation.Put put, Call call) {
    begin(call.signal());
    NewSecret secret = put.secret();
    long nowMs = clock.nowMs();
    long expiresAtMs = nowMs + secret.ttl().toMillis();
    Entry added = new Entry(secret, secret.views().count(), expiresAtMs);
    Entry kept =
        entries.merge(secret.id(), added, (there, mine) -> there.isOverAt(nowMs) ? mine : there);
    sweepLater();
    return completedFuture(
        kept == added ? Optional.of(Instant.ofEpochMilli(expiresAtMs)) : Optional.empty());
  }

  @Override
  public CompletionStage<ViewAttempt> view(SecretOperation.View view, Call call) {
    begin(call.signal());
    Counting counting = new Counting(view.presented());
    entries.computeIfPresent(view.id(), (id, there) -> counting.count(there));
    return completedFuture(counting.attempt);
  }

  /** One view of an entry that may have expired. */
  private final class Counting {

    private final ProofHash presented;
    private ViewAttempt attempt = new ViewAttempt.NotFound();

    Counting(ProofHash presented) {
      this.presented = presented;
    }

    @Nullable Entry count(Entry there) {
      if (there.isOverAt(clock.nowMs())) {
        return null;
      }
      if (!there.isProvenBy(presented)) {
        attempt = new ViewAttempt.WrongProof();
        return there;
      }
      attempt = new ViewAttempt.Revealed(there.viewed());
      return there.next();
    }
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretOperation.Peek question, Call call) {
    begin(call.signal());
    return completedFuture(
        Optional.ofNullable(entries.get(question.id()))
            .filter(there -> !there.isOverAt(clock.nowMs()))
            .map(Entry::info));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretOperation.Burn burn, Call call) {
    begin(call.signal());
    Entry burned = entries.remove(burn.id());
    return completedFuture(burned != null && !burned.isOverAt(clock.nowMs()));
  }

  @Override
  boolean sweep() {
    long nowMs = clock.nowMs();
    entries.values().removeIf(there -> there.isOverAt(nowMs));
    return !entries.isEmpty();
  }

  @Override
  int size() {
    return entries.size();
  }

  @Override
  void clear() {
    entries.clear();
  }
}
