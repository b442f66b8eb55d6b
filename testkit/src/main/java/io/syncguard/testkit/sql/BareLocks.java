package io.syncguard.testkit.sql;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
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
}
