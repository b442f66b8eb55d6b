/** What locks and permits in hand have in common. Not exported. */
@NullMarked
package io.syncguard.internal.hold;

import org.jspecify.annotations.NullMarked;
