/** The Redis store's locks beside those of others. */
@NullMarked
package io.syncguard.bench.redis.lock;

import org.jspecify.annotations.NullMarked;
