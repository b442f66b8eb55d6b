package io.syncguard.secret;

import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The operations of {@link Secrets} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public final class AsyncSecrets {

  private final SecretTerms terms;

  AsyncSecrets(SecretTerms terms) {
    this.terms = terms;
  }

  /** Stores a secret; see {@link Secrets#put}. */
  public CompletionStage<SecretId> put(byte[] payload, Views views, Duration ttl) {
    return put(() -> terms.plain(SecretId.random(), payload, views, ttl));
  }

  /** Stores a secret that is encrypted here; see {@link Secrets#putSealed}. */
  public CompletionStage<SecretId> putSealed(
      byte[] payload, SealingKey key, Views views, Duration ttl) {
    return put(() -> terms.sealed(SecretId.random(), payload, key, views, ttl));
  }

  /**
   * Stores a secret if its id is new; see {@link Secrets#putIfNew(SecretId, byte[], Views,
   * Duration)}.
   */
  public CompletionStage<Boolean> putIfNew(SecretId id, byte[] payload, Views views, Duration ttl) {
    return putIfNew(() -> terms.plain(id, payload, views, ttl));
  }

  /**
   * Stores what was sealed elsewhere if its id is new; see {@link Secrets#putIfNew(SecretId,
   * byte[], ViewProof, Views, Duration)}.
   */
  public CompletionStage<Boolean> putIfNew(
      SecretId id, byte[] sealed, ViewProof proof, Views views, Duration ttl) {
    return putIfNew(() -> terms.sealedElsewhere(id, sealed, proof, views, ttl));
  }

  private CompletionStage<Boolean> putIfNew(Supplier<NewSecret> made) {
    return terms
        .gate()
        .begin(
            terms.signal(),
            () ->
                read(terms.backend().async().put(made.get(), terms.signal()), Optional::isPresent));
  }

  private CompletionStage<SecretId> put(Supplier<NewSecret> made) {
    return terms
        .gate()
        .beginAcquiring(
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
                        if (failure != null) {
                          result.completeExceptionally(terms.abandon(failure, secret.id()));
                        } else if (expiresAt.isEmpty()) {
                          result.completeExceptionally(SecretTerms.repeated(secret.id()));
                        } else if (!result.complete(secret.id())) {
                          terms.burnUnwanted(secret.id());
                        }
                      });
              return result;
            },
            terms::burnUnwanted);
  }

  /** Counts a view and reveals the secret; see {@link Secrets#view(SecretId)}. */
  public CompletionStage<Optional<SecretView>> view(SecretId id) {
    return view(id, () -> ProofHash.NONE, view -> view);
  }

  /** Counts a view and opens the secret; see {@link Secrets#view(SecretId, SealingKey)}. */
  public CompletionStage<Optional<SecretView>> view(SecretId id, SealingKey key) {
    return view(id, () -> key.proof(id).hash(), view -> SecretTerms.opened(view, id, key));
  }

  /** Counts a view and reveals the sealed text; see {@link Secrets#view(SecretId, ViewProof)}. */
  public CompletionStage<Optional<SecretView>> view(SecretId id, ViewProof proof) {
    return view(id, () -> proof.hash(), view -> view);
  }

  private CompletionStage<Optional<SecretView>> view(
      SecretId id, Supplier<ProofHash> proof, UnaryOperator<SecretView> opening) {
    return terms
        .gate()
        .begin(
            terms.signal(),
            () -> {
              ProofHash presented = proof.get();
              return read(
                  terms.backend().async().view(id, presented, terms.signal()),
                  attempt -> SecretTerms.seen(attempt, id, presented).map(opening));
            });
  }

  /** Completes with what a function makes of an answer, and with what it throws as it is. */
  private static <T, R> CompletionStage<R> read(
      CompletionStage<T> answer, Function<T, R> function) {
    CompletableFuture<R> result = new CompletableFuture<>();
    answer.whenComplete(
        (value, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
            return;
          }
          try {
            result.complete(function.apply(value));
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
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
