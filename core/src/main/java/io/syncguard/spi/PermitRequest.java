package io.syncguard.spi;

import java.time.Duration;

/**
 * One attempt to get a slot of a semaphore. The same request may be repeated: what the store knows
 * of the permit's id decides what it means.
 *
 * @param permit which permit is asking, under an id that its first attempt made known
 * @param limit how many slots the semaphore has
 * @param ttl the longest the slot may be held, counted from when the permit got it
 * @param heartbeatTimeout how long after its last sign of life the permit counts as dead
 * @param waits whether to take a place in the queue if there is no slot now; if not, the permit has
 *     no place afterwards, not even one that it had before
 * @param watched whether the caller has a {@link SemaphoreBackend#watch watch} open for the permit
 */
public record PermitRequest(
    PermitReference permit,
    int limit,
    Duration ttl,
    Duration heartbeatTimeout,
    boolean waits,
    boolean watched) {}
