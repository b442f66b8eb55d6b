package io.syncguard.cli.hold;

import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.spi.Liveness;
import java.time.Duration;
import java.util.Map;

/** A lock that is extended for as long as a command runs. */
public final class HeldLock implements Hold {

  private static final Duration TOLERANCE = Duration.ofMillis(Liveness.TOLERANCE_MS);
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final Locks locks;
  private final LockHandle lock;
  private final Extender extender;
  private final long acquiredAt = System.nanoTime();

  public HeldLock(Locks locks, LockHandle lock, Duration lease, Duration atMost) {
    this.locks = locks;
    this.lock = lock;
    this.extender = new Extender(lock, lease, atMost);
  }

  @Override
  public Map<String, String> environment() {
    return Map.of(
        "SYNCGUARD_FENCE", lock.fence().toString(), "SYNCGUARD_LOCK_ID", lock.lockId().value());
  }

  @Override
  public void onLost(Runnable listener) {
    lock.onLost(listener);
  }

  @Override
  public boolean end(Duration atLeast) throws InterruptedException {
    extender.stop();
    Duration left = atLeast.minusNanos(System.nanoTime() - acquiredAt);
    if (left.isZero() || left.isNegative()) {
      return lock.release().isReleased();
    }
    // To others a lock is alive for a while after its expiry. The handle would call it lost before.
    Duration ttl = left.minus(TOLERANCE);
    return lock.isHeld()
        && locks.extend(lock.lockId(), ttl.compareTo(SHORTEST) < 0 ? SHORTEST : ttl).isExtended();
  }
}
