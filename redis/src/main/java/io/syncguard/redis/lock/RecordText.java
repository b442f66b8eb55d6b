package io.syncguard.redis.lock;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock's record as JSON text, as far as this store writes and reads it. */
final class RecordText {

  private static final int FENCE_DIGITS = 15;
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private RecordText() {}

  /** Returns the record up to its fence, which is the same for each try. */
  static String head(ResourceKey key, LockId lockId) {
    String user = key.value();
    StringBuilder head = new StringBuilder(user.length() + 64).append("{\"key\":\"");
    escape(user, head);
    return head.append("\",\"lockId\":\"")
        .append(lockId.value())
        .append("\",\"fence\":\"")
        .toString();
  }

  /** Escapes as Redis's own cjson does, so that records of all clients are the same to the byte. */
  private static void escape(String text, StringBuilder to) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\', '/' -> to.append('\\').append(c);
        case '\b' -> to.append("\\b");
        case '\t' -> to.append("\\t");
        case '\n' -> to.append("\\n");
        case '\f' -> to.append("\\f");
        case '\r' -> to.append("\\r");
        default -> {
          if (c < 0x20 || c == 0x7f) {
            to.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 0xF]);
          } else {
            to.append(c);
          }
        }
      }
    }
  }

  /** Reads what acquire answers: fence, acquiredAtMs and expiresAtMs, to the end of the record. */
  static AcquireAttempt.Granted granted(String tail) {
    try {
      Fence fence = Fence.parse(tail.substring(0, FENCE_DIGITS));
      long expiresAtMs = Long.parseLong(tail, tail.lastIndexOf(':') + 1, tail.length() - 1, 10);
      return new AcquireAttempt.Granted(fence, Instant.ofEpochMilli(expiresAtMs));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw unexpected(e);
    }
  }

  /** Reads what a lookup answers: key, lockId, fence, acquiredAtMs, expiresAtMs; or nothing. */
  static Optional<RawLockInfo> found(@Nullable Object answer) {
    return answer instanceof List<?> fields ? Optional.of(info(fields)) : Optional.empty();
  }

  private static RawLockInfo info(List<?> fields) {
    try {
      return new RawLockInfo(
          (String) fields.get(0),
          LockId.of((String) fields.get(1)),
          instant(fields.get(4)),
          instant(fields.get(3)),
          Fence.parse((String) fields.get(2)));
    } catch (SyncGuardException | IndexOutOfBoundsException | NumberFormatException e) {
      throw unexpected(e);
    }
  }

  private static Instant instant(Object millis) {
    return Instant.ofEpochMilli(Long.parseLong((String) millis));
  }

  private static SyncGuardException unexpected(RuntimeException cause) {
    return new SyncGuardException(
        SyncGuardException.Code.INTERNAL,
        "A lock record in Redis is not what a SyncGuard client writes",
        Subject.NONE,
        cause);
  }
}
