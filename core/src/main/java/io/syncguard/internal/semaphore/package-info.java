/** How permits are acquired, kept and released. Not exported. */
@NullMarked
package io.syncguard.internal.semaphore;

import org.jspecify.annotations.NullMarked;
