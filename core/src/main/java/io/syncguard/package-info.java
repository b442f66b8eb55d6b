/** The door to SyncGuard, and what all of its primitives share. */
@NullMarked
package io.syncguard;

import org.jspecify.annotations.NullMarked;
