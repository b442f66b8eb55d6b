/** Whether a server is fit to keep locks. Not for users. */
@NullMarked
package io.syncguard.redis.check;

import org.jspecify.annotations.NullMarked;
