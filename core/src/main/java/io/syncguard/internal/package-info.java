/** What the primitives have in common. Not exported: nobody but core sees it. */
@NullMarked
package io.syncguard.internal;

import org.jspecify.annotations.NullMarked;
