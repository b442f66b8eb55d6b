package io.syncguard.testkit.sql;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.lock.LockSuite;
import java.time.Duration;

/** What tests ask of a bare store for locks. */
public final class BareLocks {

  /** Longer than a test lasts. */
  public static final Duration TTL = Duration.ofMinutes(5);

  public static final CancelSignal NEVER = CancelSignal.never();

  private BareLocks() {}

  /** Asks for a lock once. */
  public static AcquireAttempt acquire(LockBackend by, String key, LockId lockId) {
    return LockSuite.join(
        by.acquire(
            new LockOperation.Acquire(ResourceKey.of(key), lockId, TTL, false), Call.plain()));
  }

  /** Releases the lock with this id, whatever its key. */
  public static ReleaseResult release(LockBackend by, LockId lockId) {
    return LockSuite.join(
        by.release(new LockOperation.Release(new LockReference(lockId, null)), Call.plain()));
  }
}
