package io.syncguard.secret;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Continuations;
import io.syncguard.internal.Gate;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import java.time.Duration;
import java.util.Optional;

/**
 * Secrets that can be viewed so many times, across all processes, and no more. Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for bad arguments, ABORTED when the
 * thread is interrupted (the interrupt flag stays set), others as the store fails. Nothing is
 * repeated: after a failure that {@linkplain SyncGuardException#isOutcomeUnknown may have} been
 * carried out, a view may have been counted that nobody saw.
 */
public final class Secrets {

  /** The largest payload unless told otherwise, in bytes. */
  public static final int DEFAULT_LARGEST_PAYLOAD = 1024 * 1024;

  private final SecretTerms terms;
  private final AsyncSecrets async;

  /** Makes the secrets of one store. Usually {@code SyncGuard.secrets()} gives them. */
  public Secrets(SecretBackend backend, GuardOptions options) {
    this(
        new SecretTerms(
            backend,
            new Gate(new Continuations(options)),
            CancelSignal.never(),
            DEFAULT_LARGEST_PAYLOAD));
  }

  private Secrets(SecretTerms terms) {
    this.terms = terms;
    this.async = new AsyncSecrets(terms);
  }

  /** Returns the same secrets, whose operations fail with ABORTED once the signal is cancelled. */
  public Secrets cancelledBy(CancelSignal signal) {
    return new Secrets(
        new SecretTerms(terms.backend(), terms.gate(), signal, terms.largestPayload()));
  }

  /**
   * Returns the same secrets with another limit to what can be put, in bytes.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is negative
   */
  public Secrets withLargestPayload(int bytes) {
    if (bytes < 0) {
      throw SyncGuardException.invalidArgument("A payload's limit must not be negative: " + bytes);
    }
    return new Secrets(new SecretTerms(terms.backend(), terms.gate(), terms.signal(), bytes));
  }

  /** Returns the same secrets for callers that must not block. */
  public AsyncSecrets async() {
    return async;
  }

  /**
   * Blocks while a secret is stored.
   *
   * @param payload any bytes; they come back as they are
   * @param ttl how long it lives at most, whatever the views; from 1 ms to 100 years
   * @return what it can be viewed by
   * @throws SyncGuardException with code INVALID_ARGUMENT if the payload is too large
   */
  public SecretId put(byte[] payload, Views views, Duration ttl) {
    return put(terms.plain(SecretId.random(), payload, views, ttl));
  }

  /**
   * Blocks while a secret is stored, encrypted here with a key that the store never sees, and bound
   * to its id. It is {@linkplain #view(SecretId, SealingKey) viewed} with the same key. The limit
   * is on what is sealed; what is stored is a third larger.
   */
  public SecretId putSealed(byte[] payload, SealingKey key, Views views, Duration ttl) {
    return put(terms.sealed(SecretId.random(), payload, key, views, ttl));
  }

  /**
   * Blocks while a secret is stored under an id that the caller drew, if there is none under it.
   * Take {@link SecretId#random}: whoever can guess the id can view the secret.
   *
   * @return whether it was stored; if not, there is one under this id, which stays as it is
   */
  public boolean putIfNew(SecretId id, byte[] payload, Views views, Duration ttl) {
    return putIfNew(terms.plain(id, payload, views, ttl));
  }

  /**
   * Blocks while a secret is stored that a client sealed elsewhere, such as a browser, under the id
   * that the client drew, if there is none under it.
   *
   * @param sealed the text in the documented format
   * @param proof what the client derived from its key, and will present to view it
   * @return whether it was stored; if not, there is one under this id, which stays as it is
   * @throws SyncGuardException with code INVALID_ARGUMENT if the text is not in that format
   */
  public boolean putIfNew(SecretId id, byte[] sealed, ViewProof proof, Views views, Duration ttl) {
    return putIfNew(terms.sealedElsewhere(id, sealed, proof, views, ttl));
  }

  private SecretId put(NewSecret secret) {
    terms.gate().throwIfAborted(terms.signal());
    boolean isNew;
    try {
      isNew = terms.backend().put(secret, terms.signal()).isPresent();
    } catch (RuntimeException e) {
      throw terms.abandon(e, secret.id());
    }
    if (!isNew) {
      throw SecretTerms.repeated(secret.id());
    }
    return secret.id();
  }

  private boolean putIfNew(NewSecret secret) {
    terms.gate().throwIfAborted(terms.signal());
    return terms.backend().put(secret, terms.signal()).isPresent();
  }

  /**
   * Blocks while the store counts a view; empty if the secret is used up, burned or expired, or
   * never was. A view is not repeated after a failure, as it may have been counted.
   *
   * @throws WrongKeyException if the secret is sealed; then no view was counted
   */
  public Optional<SecretView> view(SecretId id) {
    return view(id, ProofHash.NONE);
  }

  /**
   * Blocks while the store counts a view, as {@link #view(SecretId)} does, and opens what was
   * sealed.
   *
   * @throws WrongKeyException if the secret was sealed with another key or with none; then no view
   *     was counted
   * @throws SyncGuardException with code INTERNAL if it was altered in the store, or copied there
   *     from another id
   */
  public Optional<SecretView> view(SecretId id, SealingKey key) {
    return view(id, key.proof(id).hash()).map(view -> SecretTerms.opened(view, id, key));
  }

  /**
   * Blocks while the store counts a view, as {@link #view(SecretId)} does, for a client that keeps
   * the key to itself: the value is the sealed text.
   *
   * @throws WrongKeyException if the proof is not that of the secret's key; then no view was
   *     counted
   */
  public Optional<SecretView> view(SecretId id, ViewProof proof) {
    return view(id, proof.hash());
  }

  private Optional<SecretView> view(SecretId id, ProofHash presented) {
    terms.gate().throwIfAborted(terms.signal());
    return SecretTerms.seen(terms.backend().view(id, presented, terms.signal()), id, presented);
  }

  /** Blocks while the store tells of a secret, without revealing it or counting a view. */
  public Optional<SecretInfo> peek(SecretId id) {
    terms.gate().throwIfAborted(terms.signal());
    return terms.backend().peek(id, terms.signal());
  }

  /** Blocks while the store destroys a secret; returns whether there was one. */
  public boolean burn(SecretId id) {
    terms.gate().throwIfAborted(terms.signal());
    return terms.backend().burn(id, terms.signal());
  }

  /** Lets nothing begin any more; for the guard that made these secrets. */
  public void close() {
    terms.gate().close();
  }
}
