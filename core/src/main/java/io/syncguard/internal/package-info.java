/** What the primitives have in common. Not exported. */
@NullMarked
package io.syncguard.internal;

import org.jspecify.annotations.NullMarked;
