package io.syncguard.lock;

import java.time.Instant;

/**
 * What can be told about a live lock without giving away what it locks or who may release it.
 *
 * @param keyHash the {@link io.syncguard.KeyHash} of its key
 * @param lockIdHash the {@link io.syncguard.KeyHash} of its lockId
 * @param expiresAt when it expires, by the clock that decides
 * @param acquiredAt when it was acquired, by the same clock
 * @param fence its fencing token
 */
public record LockInfo(
    String keyHash, String lockIdHash, Instant expiresAt, Instant acquiredAt, Fence fence) {}
