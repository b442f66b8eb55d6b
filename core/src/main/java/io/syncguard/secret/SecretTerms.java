package io.syncguard.secret;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Lifetime;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.SecretBackend;
import java.time.Duration;

/** What the blocking and the asynchronous secrets share. */
record SecretTerms(SecretBackend backend, Gate gate, CancelSignal signal, int largestPayload) {

  NewSecret plain(byte[] payload, Views views, Duration ttl) {
    return new NewSecret(SecretId.random(), checked(payload).clone(), views, checked(ttl));
  }

  NewSecret sealed(byte[] payload, SealingKey key, Views views, Duration ttl) {
    byte[] text = SealedPayload.seal(checked(payload), key).text();
    return new NewSecret(SecretId.random(), text, views, checked(ttl));
  }

  private byte[] checked(byte[] payload) {
    if (payload.length > largestPayload) {
      throw SyncGuardException.invalidArgument(
          "A secret has at most "
              + largestPayload
              + " bytes, not "
              + payload.length
              + "; withLargestPayload changes that");
    }
    return payload;
  }

  private static Duration checked(Duration ttl) {
    return Lifetime.check("A secret's lifetime", ttl);
  }

  /**
   * Returns what to fail with when a secret could not be put. What may have been stored all the
   * same is burned, once and as far as possible: nobody knows its id.
   */
  SyncGuardException abandon(Throwable thrown, SecretId id) {
    SyncGuardException failure =
        Failures.asSyncGuardException(thrown, new SyncGuardException.Context(null, id.value()));
    if (failure.isOutcomeUnknown() && !gate.isClosed()) {
      backend.async().burn(id, CancelSignal.never());
    }
    return failure;
  }
}
