package io.syncguard.secret;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The operations of {@link Secrets} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public interface AsyncSecrets {

  /** Stores a secret; see {@link Secrets#put}. */
  CompletionStage<SecretId> put(byte[] payload, Views views, Duration ttl);

  /** Stores a secret that is encrypted here; see {@link Secrets#putSealed}. */
  CompletionStage<SecretId> putSealed(byte[] payload, SealingKey key, Views views, Duration ttl);

  /**
   * Stores a secret if its id is new; see {@link Secrets#putIfNew(SecretId, byte[], Views,
   * Duration)}.
   */
  CompletionStage<Boolean> putIfNew(SecretId id, byte[] payload, Views views, Duration ttl);

  /**
   * Stores what was sealed elsewhere if its id is new; see {@link Secrets#putIfNew(SecretId,
   * byte[], ViewProof, Views, Duration)}.
   */
  CompletionStage<Boolean> putIfNew(
      SecretId id, byte[] sealed, ViewProof proof, Views views, Duration ttl);

  /** Counts a view and reveals the secret; see {@link Secrets#view(SecretId)}. */
  CompletionStage<Optional<SecretView>> view(SecretId id);

  /** Counts a view and opens the secret; see {@link Secrets#view(SecretId, SealingKey)}. */
  CompletionStage<Optional<SecretView>> view(SecretId id, SealingKey key);

  /** Counts a view and reveals the sealed text; see {@link Secrets#view(SecretId, ViewProof)}. */
  CompletionStage<Optional<SecretView>> view(SecretId id, ViewProof proof);

  /** Tells of a secret without revealing it; see {@link Secrets#peek}. */
  CompletionStage<Optional<SecretInfo>> peek(SecretId id);

  /** Destroys a secret; see {@link Secrets#burn}. */
  CompletionStage<Boolean> burn(SecretId id);
}
