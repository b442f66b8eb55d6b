/** Scripts, and what carries them out for a caller. */
@NullMarked
package io.syncguard.jdbc.script;

import org.jspecify.annotations.NullMarked;
