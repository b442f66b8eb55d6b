/** The Redis store's counters and rate limiters beside those of others. */
@NullMarked
package io.syncguard.bench.redis.limit;

import org.jspecify.annotations.NullMarked;
