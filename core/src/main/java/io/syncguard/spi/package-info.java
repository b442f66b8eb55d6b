/** What a store implements, and what it may use to do so. Not needed to use SyncGuard. */
@NullMarked
package io.syncguard.spi;

import org.jspecify.annotations.NullMarked;
