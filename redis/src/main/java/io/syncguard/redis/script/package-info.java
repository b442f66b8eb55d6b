/** How Lua scripts are read, sent and answered. Not for users. */
@NullMarked
package io.syncguard.redis.script;

import org.jspecify.annotations.NullMarked;
