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

  /** The record as it was acquired, which the index knows; changes make new ones. */
  final LockRecord acquired;

  /**
   * The waiters behind this lock; null while there are none. The first to come makes a new record,
   * so that a release that has seen no queue fails and looks again.
   */
  final @Nullable LockQueue queue;

  /** The record whose place this one took, until that is forgotten too. */
  volatile @Nullable LockRecord replaced;

  LockRecord(
      ResourceKey key,
      LockId lockId,
      Fence fence,
      long acquiredAtMs,
      long expiresAtMs,
      @Nullable LockQueue queue) {
    this.key = key;
    this.lockId = lockId;
    this.fence = fence;
    this.acquiredAtMs = acquiredAtMs;
    this.expiresAtMs = expiresAtMs;
    this.acquired = this;
    this.queue = queue;
  }

  private LockRecord(LockRecord before, long expiresAtMs, @Nullable LockQueue queue) {
    this.key = before.key;
    this.lockId = before.lockId;
    this.fence = before.fence;
    this.acquiredAtMs = before.acquiredAtMs;
    this.expiresAtMs = expiresAtMs;
    this.acquired = before.acquired;
    this.queue = queue;
  }

  /** Returns what stands for no lock where a queue has to be kept: expired, under no known id. */
  static LockRecord ofNone(ResourceKey key, LockQueue queue) {
    return new LockRecord(key, LockId.random(), Fence.of(0), 0, 0, queue);
  }

  LockRecord expiringAt(long newExpiresAtMs) {
    return new LockRecord(this, newExpiresAtMs, queue);
  }

  LockRecord with(@Nullable LockQueue newQueue) {
    return new LockRecord(this, expiresAtMs, newQueue);
  }

  boolean isOfNone() {
    return expiresAtMs == 0;
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
