package io.syncguard.jdbc.backend;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.PlaceState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the rows mean that the scripts for locks answer with, in every database. */
final class LockRows {

  /**
   * What a release did.
   *
   * @param result what it did for who asked
   * @param grant what it granted to another waiter of the same process
   */
  record Released(ReleaseResult result, Optional<Grant> grant) {}

  /**
   * What was granted to whom.
   *
   * @param lockId the waiter's
   */
  record Grant(String lockId, AcquireAttempt.Granted granted) {}

  private LockRows() {}

  static AcquireAttempt attempt(ResultSet row, String askedFor, SqlCall call) throws SQLException {
    String lockId = row.getString("lock_id");
    long expiresAtMs = row.getLong("expires_at_ms");
    long nowMs = row.getLong("now_ms");
    boolean counted = row.getLong("counted") > 0;
    boolean own = askedFor.equals(lockId);
    boolean live = lockId != null && Liveness.isLive(expiresAtMs, nowMs);
    if (own && (live || counted)) {
      return new AcquireAttempt.Granted(fence(row, call), Instant.ofEpochMilli(expiresAtMs));
    }
    if (live) {
      refuseDamaged(row, call);
    }
    Duration remaining = live ? Liveness.remaining(expiresAtMs, nowMs) : Duration.ZERO;
    long ticket = row.getLong("ticket");
    if (!row.wasNull()) {
      return new AcquireAttempt.Queued(ticket, remaining);
    }
    if (live || counted) {
      // What was counted for, and is not live, had expired when the script looked, and was extended
      // before it could be taken.
      return new AcquireAttempt.Held(remaining);
    }
    throw call.failure(
        Code.INTERNAL,
        "The fences of this key are used up, or their counter is damaged; nothing was changed",
        null);
  }

  static Released released(ResultSet row) throws SQLException {
    boolean leftQueue = row.getLong("left_queue") > 0;
    long expiresAtMs = row.getLong("expires_at_ms");
    boolean found = !row.wasNull();
    ReleaseResult result = ReleaseResult.NOT_FOUND;
    if (leftQueue || (found && Liveness.isLive(expiresAtMs, row.getLong("now_ms")))) {
      result = ReleaseResult.RELEASED;
    } else if (found) {
      result = ReleaseResult.EXPIRED;
    }
    String grantedTo = row.getString("granted_id");
    return new Released(
        result,
        grantedTo == null
            ? Optional.empty()
            : Optional.of(
                new Grant(
                    grantedTo,
                    new AcquireAttempt.Granted(
                        Fence.parse(row.getString("granted_fence")),
                        Instant.ofEpochMilli(row.getLong("granted_until_ms"))))));
  }

  static List<PlaceState> places(ResultSet row) throws SQLException {
    return row.getString("places").chars().mapToObj(LockRows::place).toList();
  }

  private static PlaceState place(int letter) {
    return letter == 'W' ? PlaceState.WAITING : PlaceState.GONE;
  }

  static ExtendResult extension(ResultSet row) throws SQLException {
    long extendedToMs = row.getLong("extended_to_ms");
    return row.wasNull()
        ? NotExtended.EXPIRED
        : new ExtendResult.Extended(Instant.ofEpochMilli(extendedToMs));
  }

  /** Reads the row that it is at and all that follow; leaves out what is dead or damaged. */
  static KeysetScan.Page<RawLockInfo> page(ResultSet rows, SqlCall call) throws SQLException {
    List<RawLockInfo> live = new ArrayList<>();
    String last;
    do {
      last = rows.getString("key");
      try {
        liveLock(rows, call).ifPresent(live::add);
      } catch (SyncGuardException damaged) {
        // A caller who asks for this very lock is told; a list of the others is of more use than
        // none.
      }
    } while (rows.next());
    return new KeysetScan.Page<>(live, last);
  }

  static Optional<RawLockInfo> liveLock(ResultSet row, SqlCall call) throws SQLException {
    long expiresAtMs = row.getLong("expires_at_ms");
    if (!Liveness.isLive(expiresAtMs, row.getLong("now_ms"))) {
      return Optional.empty();
    }
    String lockId = refuseDamaged(row, call);
    String userKey = row.getString("user_key");
    if (userKey == null) {
      throw damaged(call);
    }
    return Optional.of(
        new RawLockInfo(
            userKey,
            LockId.of(lockId),
            Instant.ofEpochMilli(expiresAtMs),
            Instant.ofEpochMilli(row.getLong("acquired_at_ms")),
            fence(row, call)));
  }

  /** Returns the lock's id. */
  private static String refuseDamaged(ResultSet row, SqlCall call) throws SQLException {
    String lockId = row.getString("lock_id");
    if (lockId == null || !LockId.isValid(lockId)) {
      throw damaged(call);
    }
    fence(row, call);
    return lockId;
  }

  private static Fence fence(ResultSet row, SqlCall call) throws SQLException {
    String text = row.getString("fence");
    try {
      return Fence.parse(String.valueOf(text));
    } catch (SyncGuardException e) {
      throw damaged(call);
    }
  }

  private static SyncGuardException damaged(SqlCall call) {
    return call.failure(
        Code.INTERNAL, "A lock's row in the database is damaged; nothing was changed", null);
  }
}
