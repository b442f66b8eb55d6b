package io.syncguard.secret;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Lifetime;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.ViewAttempt;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the blocking and the asynchronous secrets share. */
record SecretTerms(SecretBackend backend, Gate gate, CancelSignal signal, int largestPayload) {

  NewSecret plain(SecretId id, byte[] payload, Views views, Duration ttl) {
    return new NewSecret(id, checked(payload).clone(), ProofHash.NONE, views, checked(ttl));
  }

  NewSecret sealed(SecretId id, byte[] payload, SealingKey key, Views views, Duration ttl) {
    byte[] text = SealedPayload.seal(checked(payload), id, key).text();
    return new NewSecret(id, text, key.proof(id).hash(), views, checked(ttl));
  }

  /** The text is checked by its form; the limit is on what it seals. */
  NewSecret sealedElsewhere(SecretId id, byte[] text, ViewProof proof, Views views, Duration ttl) {
    SealedPayload payload = SealedPayload.parse(text, id);
    checkLength(payload.length());
    return new NewSecret(id, payload.text(), proof.hash(), views, checked(ttl));
  }

  private byte[] checked(byte @Nullable [] payload) {
    if (payload == null) {
      throw SyncGuardException.invalidArgument("A secret's bytes must not be null");
    }
    checkLength(payload.length);
    return payload;
  }

  private void checkLength(int bytes) {
    if (bytes > largestPayload) {
      throw SyncGuardException.invalidArgument(
          "A secret has at most "
              + largestPayload
              + " bytes, not "
              + bytes
              + "; withLargestPayload changes that");
    }
  }

  private static Duration checked(Duration ttl) {
    return Lifetime.check("A secret's lifetime", ttl);
  }

  /** Returns what to tell of a view that presented nothing or this. */
  static Optional<SecretView> seen(ViewAttempt attempt, SecretId id, ProofHash presented) {
    if (attempt instanceof ViewAttempt.WrongProof) {
      throw presented.isNone() ? WrongKeyException.missing(id) : WrongKeyException.of(id);
    }
    return attempt instanceof ViewAttempt.Revealed revealed
        ? Optional.of(revealed.view())
        : Optional.empty();
  }

  /** Returns the view with what was sealed as its value; INTERNAL if the store has another text. */
  static SecretView opened(SecretView view, SecretId id, SealingKey key) {
    return new SecretView(stored(view.value(), id).open(key), view.remaining());
  }

  /** A text is checked when it is put: one that does not parse is no mistake of the caller's. */
  private static SealedPayload stored(byte[] text, SecretId id) {
    try {
      return SealedPayload.parse(text, id);
    } catch (SyncGuardException e) {
      throw new SyncGuardException(
          SyncGuardException.Code.INTERNAL,
          "Secret "
              + id.hash()
              + " is not what was sealed under its id: it was altered in the store, or written by"
              + " another version; the view was counted. "
              + e.getMessage(),
          SyncGuardException.Context.ofBearer(null, id.value()),
          e);
    }
  }

  /**
   * Returns what to fail with when a secret under an id of its own could not be put. What may have
   * been stored all the same is burned, once and as far as possible: nobody knows its id.
   */
  SyncGuardException abandon(Throwable thrown, SecretId id) {
    SyncGuardException failure =
        Failures.asSyncGuardException(
            thrown, SyncGuardException.Context.ofBearer(null, id.value()));
    if (failure.isOutcomeUnknown()) {
      burnUnwanted(id);
    }
    return failure;
  }

  /** Burns, once and as far as possible, a secret whose id nobody knows. */
  void burnUnwanted(SecretId id) {
    if (!gate.isClosed()) {
      backend.async().burn(id, CancelSignal.never());
    }
  }

  /** Returns what a random id that is in use fails with. */
  static SyncGuardException repeated(SecretId id) {
    return new SyncGuardException(
        SyncGuardException.Code.INTERNAL,
        "The random id "
            + id.hash()
            + " is in use already, so this machine's random numbers repeat themselves; nothing was"
            + " stored",
        SyncGuardException.Context.ofBearer(null, id.value()),
        null);
  }
}
