/** The Redis store's semaphores beside those of others. */
@NullMarked
package io.syncguard.bench.redis.semaphore;

import org.jspecify.annotations.NullMarked;
