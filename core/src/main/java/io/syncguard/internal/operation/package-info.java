/** The one way from the primitives to the store. Not exported. */
@NullMarked
package io.syncguard.internal.operation;

import org.jspecify.annotations.NullMarked;
