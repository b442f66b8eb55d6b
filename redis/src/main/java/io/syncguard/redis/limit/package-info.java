/** Counters and rate limiters, by the scripts in this folder of the resources. Not for users. */
@NullMarked
package io.syncguard.redis.limit;

import org.jspecify.annotations.NullMarked;
