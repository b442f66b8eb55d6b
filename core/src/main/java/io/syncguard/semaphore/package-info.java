/** Fair semaphores: at most N hold a name at a time, first come first served. */
@NullMarked
package io.syncguard.semaphore;

import org.jspecify.annotations.NullMarked;
