/** The Redis store: what its comparisons share, and what it does when Redis hangs. */
@NullMarked
package io.syncguard.bench.redis;

import org.jspecify.annotations.NullMarked;
