/** How locks are acquired, kept and released. Not exported. */
@NullMarked
package io.syncguard.internal.lock;

import org.jspecify.annotations.NullMarked;
