package io.syncguard.bench.memory;

import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;

/** Locks that another client holds while a benchmark runs. */
final class LiveLocks implements AutoCloseable {

  /** So long that none expires while it is measured. */
  private static final Duration TTL = Duration.ofDays(1);

  private final AcquireResult[] held;

  private LiveLocks(AcquireResult[] held) {
    this.held = held;
  }

  /** Takes that many locks, on keys of 20 characters. */
  static LiveLocks hold(Locks locks, int count) {
    AcquireResult[] held = new AcquireResult[count];
    for (int i = 0; i < count; i++) {
      held[i] = locks.tryLock(String.format("bench:live:%09d", i), TTL);
    }
    return new LiveLocks(held);
  }

  /**
   * Releases the locks, and fails if one was not held: the store was not as full as it should be.
   */
  @Override
  public void close() {
    for (AcquireResult lock : held) {
      if (!(lock instanceof LockHandle handle) || handle.release() != ReleaseResult.RELEASED) {
        throw new IllegalStateException("A lock was not held that should have been");
      }
    }
  }
}
