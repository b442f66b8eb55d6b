/** How counters and rate limiters ask. Not exported. */
@NullMarked
package io.syncguard.internal.limit;

import org.jspecify.annotations.NullMarked;
