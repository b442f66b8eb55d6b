package io.syncguard.memory;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.ResourceKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A stored lock. Compared by identity, so that a change in between is noticed. */
final class LockRecord {

  final ResourceKey key;
  final LockId lockId;
  final Fence fence;
  final long acquiredAtMs;
  final long expiresAtMs;

  /** The record as it was acquired, which the index knows; extensions make new ones. */
  final LockRecord acquired;

  /** The expired record whose place this one took, until that is forgotten too. */
  volatile @Nullable LockRecord replaced;

  LockRecord(ResourceKey key, LockId lockId, Fence fence, long acquiredAtMs, long expiresAtMs) {
    this.key = key;
    this.lockId = lockId;
    this.fence = fence;
    this.acquiredAtMs = acquiredAtMs;
    this.expiresAtMs = expiresAtMs;
    this.acquired = this;
  }

  private LockRecord(LockRecord acquired, long expiresAtMs) {
    this.key = acquired.key;
    this.lockId = acquired.lockId;
    this.fence = acquired.fence;
    this.acquiredAtMs = acquired.acquiredAtMs;
    this.expiresAtMs = expiresAtMs;
    this.acquired = acquired;
  }

  LockRecord expiringAt(long newExpiresAtMs) {
    return new LockRecord(acquired, newExpiresAtMs);
  }

  boolean isOwnedBy(LockId id) {
    return lockId.equals(id);
  }

  boolean isLiveAt(long nowMs) {
    return Liveness.isLive(expiresAtMs, nowMs);
  }

  Instant expiresAt() {
    return Instant.ofEpochMilli(expiresAtMs);
  }

  RawLockInfo info() {
    return new RawLockInfo(
        key.value(), lockId, expiresAt(), Instant.ofEpochMilli(acquiredAtMs), fence);
  }
}
