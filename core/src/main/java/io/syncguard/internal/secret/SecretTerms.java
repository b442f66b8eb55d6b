package io.syncguard.internal.secret;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.Failures;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.Lifetime;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.ViewProof;
import io.syncguard.secret.Views;
import io.syncguard.secret.WrongKeyException;
import io.syncguard.spi.Call;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the blocking and the asynchronous secrets share: how arguments become operations, and
 * answers become what the caller is told.
 *
 * @param call how every operation is put to the store
 * @param largestPayload the most that can be put, in bytes
 */
record SecretTerms(GuardContext guard, Call call, int largestPayload) {

  private static final String PUT = "put";
  private static final String VIEW = "view";
  private static final String PEEK = "peek";
  private static final String BURN = "burn";

  SecretOperation.Put plain(SecretId id, byte[] payload, Views views, Duration ttl) {
    return put(
        id, () -> newSecret(id, checkedPayload(payload).clone(), ProofHash.NONE, views, ttl));
  }

  SecretOperation.Put sealed(
      SecretId id, byte[] payload, SealingKey key, Views views, Duration ttl) {
    return put(
        id,
        () -> {
          byte[] text = SealedPayload.seal(checkedPayload(payload), id, checkedKey(key)).text();
          return newSecret(id, text, key.proof(id).hash(), views, ttl);
        });
  }

  /** The text is checked by its form; the limit is on what it seals. */
  SecretOperation.Put sealedElsewhere(
      SecretId id, byte[] text, ViewProof proof, Views views, Duration ttl) {
    return put(
        id,
        () -> {
          SealedPayload payload = SealedPayload.parse(given("A secret's sealed text", text), id);
          checkLength(payload.length());
          return newSecret(id, payload.text(), checkedProof(proof).hash(), views, ttl);
        });
  }

  private SecretOperation.Put put(SecretId id, Supplier<NewSecret> secret) {
    return check(id, PUT, () -> new SecretOperation.Put(secret.get()));
  }

  private static NewSecret newSecret(
      SecretId id, byte[] payload, ProofHash proofHash, Views views, Duration ttl) {
    return new NewSecret(
        id,
        payload,
        proofHash,
        given("A secret's views", views),
        Lifetime.check("A secret's lifetime", ttl));
  }

  SecretOperation.View view(SecretId id) {
    return check(id, VIEW, () -> new SecretOperation.View(id, ProofHash.NONE));
  }

  SecretOperation.View view(SecretId id, SealingKey key) {
    return check(id, VIEW, () -> new SecretOperation.View(id, checkedKey(key).proof(id).hash()));
  }

  SecretOperation.View view(SecretId id, ViewProof proof) {
    return check(id, VIEW, () -> new SecretOperation.View(id, checkedProof(proof).hash()));
  }

  SecretOperation.Peek peek(SecretId id) {
    return check(id, PEEK, () -> new SecretOperation.Peek(id));
  }

  SecretOperation.Burn burn(SecretId id) {
    return check(id, BURN, () -> new SecretOperation.Burn(id));
  }

  private <T> T check(@Nullable SecretId id, String label, Supplier<T> operation) {
    return guard
        .operations()
        .check(
            Subject.ofSecret(id == null ? null : id.value()),
            label,
            () -> {
              given("A secret's id", id);
              return operation.get();
            });
  }

  private byte[] checkedPayload(byte[] payload) {
    checkLength(given("A secret's bytes", payload).length);
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

  private static SealingKey checkedKey(SealingKey key) {
    return given("A secret's key", key);
  }

  private static ViewProof checkedProof(ViewProof proof) {
    return given("A view's proof", proof);
  }

  private static <T> T given(String what, @Nullable T argument) {
    if (argument == null) {
      throw SyncGuardException.invalidArgument(what + " must not be null");
    }
    return argument;
  }

  /** Returns what to tell of a view. */
  static Optional<SecretView> seen(ViewAttempt attempt, SecretOperation.View view) {
    if (attempt instanceof ViewAttempt.WrongProof) {
      throw view.presented().isNone()
          ? WrongKeyException.missing(view.id())
          : WrongKeyException.of(view.id());
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
          Code.INTERNAL,
          "Secret "
              + id.hash()
              + " is not what was sealed under its id: it was altered in the store, or written by"
              + " another version; the view was counted. "
              + e.getMessage(),
          Subject.ofSecret(id.value()),
          e);
    }
  }

  /**
   * Returns what to fail with when a secret under a new id could not be put. What may have been
   * stored all the same is burned, once and as far as possible: its id is known to no client.
   */
  SyncGuardException abandon(Throwable thrown, SecretOperation.Put put) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, put.subject());
    if (failure.isOutcomeUnknown()) {
      burnUnwanted(put.id());
    }
    return failure;
  }

  /** Burns, once and as far as possible, a secret whose id is known to no client. */
  void burnUnwanted(SecretId id) {
    guard.operations().begin(new SecretOperation.Burn(id), Call.plain());
  }

  /** Returns what a random id that is in use fails with. */
  static SyncGuardException repeated(SecretOperation.Put put) {
    return new SyncGuardException(
        Code.INTERNAL,
        "The random id "
            + put.id().hash()
            + " is in use already, so this machine's random numbers repeat themselves; nothing was"
            + " stored",
        put.subject(),
        null);
  }
}
