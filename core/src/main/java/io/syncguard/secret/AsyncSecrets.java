package io.syncguard.secret;

import io.syncguard.spi.NewSecret;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The operations of {@link Secrets} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Where a store answers through I/O threads of its own, dependent stages run in those: do not
 * block there, use the {@code ...Async} methods of {@link CompletionStage} for work that does.
 */
public final class AsyncSecrets {

  private final SecretTerms terms;

  AsyncSecrets(SecretTerms terms) {
    this.terms = terms;
  }

  /** Stores a secret; see {@link Secrets#put}. */
  public CompletionStage<SecretId> put(byte[] payload, Views views, Duration ttl) {
    return put(() -> terms.plain(payload, views, ttl));
  }

  /** Stores a secret that is encrypted here; see {@link Secrets#putSealed}. */
  public CompletionStage<SecretId> putSealed(
      byte[] payload, SealingKey key, Views views, Duration ttl) {
    return put(() -> terms.sealed(payload, key, views, ttl));
  }

  private CompletionStage<SecretId> put(Supplier<NewSecret> made) {
    return terms
        .gate()
        .begin(
            terms.signal(),
            () -> {
              NewSecret secret = made.get();
              CompletableFuture<SecretId> result = new CompletableFuture<>();
              terms
                  .backend()
                  .async()
                  .put(secret, terms.signal())
                  .whenComplete(
                      (expiresAt, failure) -> {
                        if (failure == null) {
                          result.complete(secret.id());
                        } else {
                          result.completeExceptionally(terms.abandon(failure, secret.id()));
                        }
                      });
              return result;
            });
  }

  /** Counts a view and reveals the secret; see {@link Secrets#view}. */
  public CompletionStage<Optional<SecretView>> view(SecretId id) {
    return terms
        .gate()
        .begin(terms.signal(), () -> terms.backend().async().view(id, terms.signal()));
  }

  /** Tells of a secret without revealing it; see {@link Secrets#peek}. */
  public CompletionStage<Optional<SecretInfo>> peek(SecretId id) {
    return terms
        .gate()
        .begin(terms.signal(), () -> terms.backend().async().peek(id, terms.signal()));
  }

  /** Destroys a secret; see {@link Secrets#burn}. */
  public CompletionStage<Boolean> burn(SecretId id) {
    return terms
        .gate()
        .begin(terms.signal(), () -> terms.backend().async().burn(id, terms.signal()));
  }
}
