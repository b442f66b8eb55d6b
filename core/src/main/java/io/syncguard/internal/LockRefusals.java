package io.syncguard.internal;

import io.syncguard.lock.LockId;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.ResourceKey;
import io.syncguard.telemetry.LockEvent;
import org.jspecify.annotations.Nullable;

/**
 * Is told of operations on locks that end before the store is asked, so that they are reported as
 * all others are. A backend that reports operations is one; without telemetry nobody is told.
 */
public interface LockRefusals {

  /** Takes note of an operation that fails. */
  void threw(
      LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId, Throwable failure);

  /** Takes note of an operation that does nothing, because its lock is gone. */
  void refused(LockEvent.Type type, ResourceKey key, LockId lockId, LockEvent.Reason reason);

  /** Returns who is to be told of what does not reach this backend. */
  static LockRefusals of(LockBackend backend) {
    return backend instanceof LockRefusals told ? told : Unreported.INSTANCE;
  }

  /** Where there is no telemetry. */
  enum Unreported implements LockRefusals {
    /** The only one. */
    INSTANCE;

    @Override
    public void threw(
        LockEvent.Type type,
        @Nullable ResourceKey key,
        @Nullable LockId lockId,
        Throwable failure) {}

    @Override
    public void refused(
        LockEvent.Type type, ResourceKey key, LockId lockId, LockEvent.Reason reason) {}
  }
}
