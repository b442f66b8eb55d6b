/** The Redis store's locks beside those of others. */
@NullMarked
package io.syncguard.bench.redis;

import org.jspecify.annotations.NullMarked;
