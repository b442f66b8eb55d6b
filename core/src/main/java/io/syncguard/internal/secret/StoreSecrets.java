package io.syncguard.internal.secret;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.GuardContext;
import io.syncguard.secret.AsyncSecrets;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.ViewProof;
import io.syncguard.secret.Views;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.secret.SecretOperation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The secrets of a guard, for callers that may block. */
public final class StoreSecrets implements Secrets {

  private final SecretTerms terms;
  private final AsyncSecrets async;

  /** The secrets of this guard. */
  public StoreSecrets(GuardContext guard) {
    this(new SecretTerms(guard, Call.plain(), DEFAULT_LARGEST_PAYLOAD));
  }

  private StoreSecrets(SecretTerms terms) {
    this.terms = terms;
    this.async = new StoreAsyncSecrets(terms);
  }

  @Override
  public Secrets cancelledBy(CancelSignal signal) {
    Objects.requireNonNull(signal, "The signal must not be null");
    return new StoreSecrets(
        new SecretTerms(terms.guard(), Call.of(signal), terms.largestPayload()));
  }

  @Override
  public Secrets withLargestPayload(int bytes) {
    if (bytes < 0) {
      throw SyncGuardException.invalidArgument("A payload's limit must not be negative: " + bytes);
    }
    return new StoreSecrets(new SecretTerms(terms.guard(), terms.call(), bytes));
  }

  @Override
  public AsyncSecrets async() {
    return async;
  }

  @Override
  public SecretId put(byte[] payload, Views views, Duration ttl) {
    return putUnderNewId(terms.plain(SecretId.random(), payload, views, ttl));
  }

  @Override
  public SecretId putSealed(byte[] payload, SealingKey key, Views views, Duration ttl) {
    return putUnderNewId(terms.sealed(SecretId.random(), payload, key, views, ttl));
  }

  private SecretId putUnderNewId(SecretOperation.Put put) {
    boolean isNew;
    try {
      isNew = ask(put).isPresent();
    } catch (RuntimeException e) {
      throw terms.abandon(e, put);
    }
    if (!isNew) {
      throw SecretTerms.repeated(put);
    }
    return put.id();
  }

  @Override
  public boolean putIfNew(SecretId id, byte[] payload, Views views, Duration ttl) {
    return ask(terms.plain(id, payload, views, ttl)).isPresent();
  }

  @Override
  public boolean putIfNew(SecretId id, byte[] sealed, ViewProof proof, Views views, Duration ttl) {
    return ask(terms.sealedElsewhere(id, sealed, proof, views, ttl)).isPresent();
  }

  @Override
  public Optional<SecretView> view(SecretId id) {
    return view(terms.view(id));
  }

  @Override
  public Optional<SecretView> view(SecretId id, SealingKey key) {
    return view(terms.view(id, key)).map(view -> SecretTerms.opened(view, id, key));
  }

  @Override
  public Optional<SecretView> view(SecretId id, ViewProof proof) {
    return view(terms.view(id, proof));
  }

  private Optional<SecretView> view(SecretOperation.View view) {
    return SecretTerms.seen(ask(view), view);
  }

  @Override
  public Optional<SecretInfo> peek(SecretId id) {
    return ask(terms.peek(id));
  }

  @Override
  public boolean burn(SecretId id) {
    return ask(terms.burn(id));
  }

  private <A> A ask(Operation<A> operation) {
    return terms.guard().operations().await(operation, terms.call());
  }
}
