package io.syncguard.secret;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Optional;

/**
 * Secrets that can be viewed so many times, across all processes, and no more. Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for bad arguments, ABORTED when the
 * thread is interrupted (the interrupt flag stays set), others as the store fails. Nothing is
 * repeated: after a failure that {@linkplain SyncGuardException#isOutcomeUnknown may have} been
 * carried out, a view may have been counted that revealed nothing.
 */
public interface Secrets {

  /** The largest payload unless told otherwise, in bytes. */
  int DEFAULT_LARGEST_PAYLOAD = 1024 * 1024;

  /** Returns the same secrets, whose operations fail with ABORTED once the signal is cancelled. */
  Secrets cancelledBy(CancelSignal signal);

  /**
   * Returns the same secrets with another limit to what can be put, in bytes.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is negative
   */
  Secrets withLargestPayload(int bytes);

  /** Returns the same secrets for callers that must not block. */
  AsyncSecrets async();

  /**
   * Blocks while a secret is stored.
   *
   * @param payload any bytes; they come back as they are
   * @param ttl how long it lives at most, whatever the views; from 1 ms to 100 years
   * @return what it can be viewed by
   * @throws SyncGuardException with code INVALID_ARGUMENT if the payload is too large
   */
  SecretId put(byte[] payload, Views views, Duration ttl);

  /**
   * Blocks while a secret is stored, encrypted here with a key that the store never sees, and bound
   * to its id. It is {@linkplain #view(SecretId, SealingKey) viewed} with the same key. The limit
   * is on what is sealed; what is stored is a third larger.
   */
  SecretId putSealed(byte[] payload, SealingKey key, Views views, Duration ttl);

  /**
   * Blocks while a secret is stored under an id that the caller drew, if there is none under it.
   * Take {@link SecretId#random}: a client that can guess the id can view the secret.
   *
   * @return whether it was stored; if not, there is one under this id, which stays as it is
   */
  boolean putIfNew(SecretId id, byte[] payload, Views views, Duration ttl);

  /**
   * Blocks while a secret is stored that a client sealed elsewhere, such as a browser, under the id
   * that the client drew, if there is none under it.
   *
   * @param sealed the text in the documented format
   * @param proof what the client derived from its key, and will present to view it
   * @return whether it was stored; if not, there is one under this id, which stays as it is
   * @throws SyncGuardException with code INVALID_ARGUMENT if the text is not in that format
   */
  boolean putIfNew(SecretId id, byte[] sealed, ViewProof proof, Views views, Duration ttl);

  /**
   * Blocks while the store counts a view; empty if the secret is used up, burned or expired, or
   * never was. A view is not repeated after a failure, as it may have been counted.
   *
   * @throws WrongKeyException if the secret is sealed; then no view was counted
   */
  Optional<SecretView> view(SecretId id);

  /**
   * Blocks while the store counts a view, as {@link #view(SecretId)} does, and opens what was
   * sealed.
   *
   * @throws WrongKeyException if the secret was sealed with another key or with none; then no view
   *     was counted
   * @throws SyncGuardException with code INTERNAL if it was altered in the store, or copied there
   *     from another id
   */
  Optional<SecretView> view(SecretId id, SealingKey key);

  /**
   * Blocks while the store counts a view, as {@link #view(SecretId)} does, for a client that keeps
   * the key to itself: the value is the sealed text.
   *
   * @throws WrongKeyException if the proof is not that of the secret's key; then no view was
   *     counted
   */
  Optional<SecretView> view(SecretId id, ViewProof proof);

  /** Blocks while the store tells of a secret, without revealing it or counting a view. */
  Optional<SecretInfo> peek(SecretId id);

  /** Blocks while the store destroys a secret; returns whether there was one. */
  boolean burn(SecretId id);
}
