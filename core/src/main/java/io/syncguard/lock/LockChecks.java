package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.LockRefusals;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.telemetry.LockEvent;
import io.syncguard.telemetry.LockEvent.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks operations before the store is asked; what is refused is reported as a failure. */
final class LockChecks {

  private final LockRefusals refusals;

  LockChecks(LockBackend backend) {
    this.refusals = LockRefusals.of(backend);
  }

  ResourceKey key(LockEvent.Type type, String key) {
    try {
      return ResourceKey.of(key);
    } catch (RuntimeException e) {
      refusals.threw(type, null, null, e);
      throw e;
    }
  }

  LockReference id(LockEvent.Type type, @Nullable LockId lockId) {
    if (lockId == null) {
      SyncGuardException refusal =
          SyncGuardException.invalidArgument("The lockId must not be null");
      refusals.threw(type, null, null, refusal);
      throw refusal;
    }
    return new LockReference(lockId, null);
  }

  Duration ttl(
      LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId, Duration ttl) {
    try {
      return Ttl.check(ttl);
    } catch (RuntimeException e) {
      refusals.threw(type, key, lockId, e);
      throw e;
    }
  }

  /** Returns at once unless the gate throws, because the guard is closed or the caller aborts. */
  void pass(
      LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId, Runnable gate) {
    try {
      gate.run();
    } catch (RuntimeException e) {
      refusals.threw(type, key, lockId, e);
      throw e;
    }
  }

  /** Reports an extension through a handle that has lost its lock or has let go of it. */
  void notExtended(ResourceKey key, LockReference lock, NotExtended refusal) {
    Reason reason = refusal == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.NOT_FOUND;
    refusals.refused(LockEvent.Type.EXTEND, key, lock.lockId(), reason);
  }

  /** Reports a release through a handle that has released its lock before. */
  void notReleased(ResourceKey key, LockReference lock) {
    refusals.refused(LockEvent.Type.RELEASE, key, lock.lockId(), Reason.NOT_FOUND);
  }
}
