package io.syncguard.spi;

import io.syncguard.lock.LockId;
import java.time.Duration;

/**
 * One attempt to take a lock.
 *
 * @param key what to lock
 * @param lockId the id the lock will have; an attempt that finds its own id already stored, because
 *     the reply to an earlier attempt was lost, is granted with what is stored
 * @param ttl how long the lock lives; at least a millisecond
 * @param watched whether the caller has a {@link LockBackend#watch watch} open on the key, so that
 *     a contended answer must be followed by a hint when the lock may have become free
 */
public record AcquireRequest(ResourceKey key, LockId lockId, Duration ttl, boolean watched) {}
