/** What a failure of Redis, of the driver or of TLS means to the caller. Not for users. */
@NullMarked
package io.syncguard.redis.failure;

import org.jspecify.annotations.NullMarked;
