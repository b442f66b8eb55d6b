/** Rate limiters: at most so many in any time, evenly, with room for a burst. */
@NullMarked
package io.syncguard.limit;

import org.jspecify.annotations.NullMarked;
