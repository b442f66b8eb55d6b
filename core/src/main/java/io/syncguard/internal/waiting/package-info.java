/** One way to wait, for every primitive. Not exported. */
@NullMarked
package io.syncguard.internal.waiting;

import org.jspecify.annotations.NullMarked;
