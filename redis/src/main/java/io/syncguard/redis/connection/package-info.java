/** The driver's connections: how they are opened, watched, left and closed. Not for users. */
@NullMarked
package io.syncguard.redis.connection;

import org.jspecify.annotations.NullMarked;
