package io.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.AcquireAttempt;
import java.time.Instant;
import java.util.Map;

/** What a lock's document says, the same for clients in every language. */
record LockDocument(String key, LockId lockId, Fence fence, long acquiredAtMs, long expiresAtMs) {

  static final String KEY = "key";
  static final String LOCK_ID = "lockId";
  static final String FENCE = "fence";
  static final String ACQUIRED_AT = "acquiredAtMs";
  static final String EXPIRES_AT = "expiresAtMs";

  /** Reads a document that is there; fails with INTERNAL if it is not a lock's. */
  static LockDocument read(DocumentSnapshot document) {
    try {
      return new LockDocument(
          text(document, KEY),
          LockId.of(text(document, LOCK_ID)),
          Fence.parse(text(document, FENCE)),
          number(document, ACQUIRED_AT),
          number(document, EXPIRES_AT));
    } catch (SyncGuardException e) {
      throw new SyncGuardException(
          Code.INTERNAL,
          "A lock's document in Firestore is damaged; nothing was changed",
          Subject.NONE,
          e);
    }
  }

  private static String text(DocumentSnapshot document, String field) {
    if (document.get(field) instanceof String text) {
      return text;
    }
    throw SyncGuardException.invalidArgument("Its " + field + " is no text");
  }

  private static long number(DocumentSnapshot document, String field) {
    if (document.get(field) instanceof Number number
        && number.longValue() == number.doubleValue()) {
      return number.longValue();
    }
    throw SyncGuardException.invalidArgument("Its " + field + " is no whole number");
  }

  Map<String, Object> fields() {
    return Map.of(
        KEY,
        key,
        LOCK_ID,
        lockId.value(),
        FENCE,
        fence.toString(),
        ACQUIRED_AT,
        acquiredAtMs,
        EXPIRES_AT,
        expiresAtMs);
  }

  boolean isLiveAt(long nowMs) {
    return Liveness.isLive(expiresAtMs, nowMs);
  }

  Instant expiresAt() {
    return Instant.ofEpochMilli(expiresAtMs);
  }

  AcquireAttempt.Granted granted() {
    return new AcquireAttempt.Granted(fence, expiresAt());
  }

  RawLockInfo info() {
    return new RawLockInfo(key, lockId, expiresAt(), Instant.ofEpochMilli(acquiredAtMs), fence);
  }
}
