package io.syncguard.internal.secret;

import io.syncguard.secret.AsyncSecrets;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.ViewProof;
import io.syncguard.secret.Views;
import io.syncguard.spi.Operation;
import io.syncguard.spi.secret.SecretOperation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The secrets of a guard, for callers that must not block. */
final class StoreAsyncSecrets implements AsyncSecrets {

  private final SecretTerms terms;

  StoreAsyncSecrets(SecretTerms terms) {
    this.terms = terms;
  }

  @Override
  public CompletionStage<SecretId> put(byte[] payload, Views views, Duration ttl) {
    return putUnderNewId(() -> terms.plain(SecretId.random(), payload, views, ttl));
  }

  @Override
  public CompletionStage<SecretId> putSealed(
      byte[] payload, SealingKey key, Views views, Duration ttl) {
    return putUnderNewId(() -> terms.sealed(SecretId.random(), payload, key, views, ttl));
  }

  private CompletionStage<SecretId> putUnderNewId(Supplier<SecretOperation.Put> put) {
    return terms
        .guard()
        .continuations()
        .handOutAcquired(() -> putting(put.get()), terms::burnUnwanted);
  }

  private CompletableFuture<SecretId> putting(SecretOperation.Put put) {
    CompletableFuture<SecretId> result = new CompletableFuture<>();
    begin(put)
        .whenComplete(
            (expiresAt, failure) -> {
              if (failure != null) {
                result.completeExceptionally(terms.abandon(failure, put));
              } else if (expiresAt.isEmpty()) {
                result.completeExceptionally(SecretTerms.repeated(put));
              } else if (!result.complete(put.id())) {
                terms.burnUnwanted(put.id());
              }
            });
    return result;
  }

  @Override
  public CompletionStage<Boolean> putIfNew(SecretId id, byte[] payload, Views views, Duration ttl) {
    return ask(() -> terms.plain(id, payload, views, ttl), Optional::isPresent);
  }

  @Override
  public CompletionStage<Boolean> putIfNew(
      SecretId id, byte[] sealed, ViewProof proof, Views views, Duration ttl) {
    return ask(() -> terms.sealedElsewhere(id, sealed, proof, views, ttl), Optional::isPresent);
  }

  @Override
  public CompletionStage<Optional<SecretView>> view(SecretId id) {
    return view(() -> terms.view(id), view -> view);
  }

  @Override
  public CompletionStage<Optional<SecretView>> view(SecretId id, SealingKey key) {
    return view(() -> terms.view(id, key), view -> SecretTerms.opened(view, id, key));
  }

  @Override
  public CompletionStage<Optional<SecretView>> view(SecretId id, ViewProof proof) {
    return view(() -> terms.view(id, proof), view -> view);
  }

  private CompletionStage<Optional<SecretView>> view(
      Supplier<SecretOperation.View> made, UnaryOperator<SecretView> opening) {
    return handOut(
        () -> {
          SecretOperation.View view = made.get();
          return read(begin(view), attempt -> SecretTerms.seen(attempt, view).map(opening));
        });
  }

  @Override
  public CompletionStage<Optional<SecretInfo>> peek(SecretId id) {
    return handOut(() -> begin(terms.peek(id)));
  }

  @Override
  public CompletionStage<Boolean> burn(SecretId id) {
    return handOut(() -> begin(terms.burn(id)));
  }

  private <A, R> CompletionStage<R> ask(
      Supplier<? extends Operation<A>> operation, Function<A, R> reading) {
    return handOut(() -> read(begin(operation.get()), reading));
  }

  private <A> CompletionStage<A> begin(Operation<A> operation) {
    return terms.guard().operations().begin(operation, terms.call());
  }

  private <T> CompletionStage<T> handOut(Supplier<CompletionStage<T>> stage) {
    return terms.guard().continuations().handOut(stage);
  }

  /** Completes with what is read from an answer, and with what reading it throws, unwrapped. */
  private static <A, R> CompletionStage<R> read(CompletionStage<A> answer, Function<A, R> reading) {
    CompletableFuture<R> result = new CompletableFuture<>();
    answer.whenComplete(
        (value, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
            return;
          }
          try {
            result.complete(reading.apply(value));
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }
}
