package io.syncguard.cli.output;

import io.syncguard.lock.LockInfo;
import io.syncguard.lock.RawLockInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A lock as it is shown to a user who knows its key. */
public final class LockReport {

  private LockReport() {}

  /** Returns it for programs; the lockId, with which every user can release it, only if raw. */
  public static Map<String, @Nullable Object> fields(RawLockInfo lock, boolean raw) {
    LockInfo hashes = lock.sanitized();
    Map<String, @Nullable Object> fields =
        Json.object(
            "held", true,
            "key", lock.key(),
            "keyHash", hashes.keyHash(),
            "lockIdHash", hashes.lockIdHash(),
            "fence", lock.fence().toString(),
            "acquiredAt", lock.acquiredAt(),
            "expiresAt", lock.expiresAt());
    if (raw) {
      fields.put("lockId", lock.lockId().value());
    }
    return fields;
  }

  /** Returns it for people. */
  public static String text(RawLockInfo lock, boolean raw) {
    Instant now = Instant.now();
    return String.join(
        System.lineSeparator(),
        "key       " + Terminal.printable(lock.key()),
        "lockId    " + (raw ? lock.lockId().value() : lock.lockId().hash() + " (hashed)"),
        "fence     " + lock.fence(),
        "acquired  " + Durations.show(Duration.between(lock.acquiredAt(), now)) + " ago",
        "expires   in " + Durations.show(Duration.between(now, lock.expiresAt())));
  }
}
