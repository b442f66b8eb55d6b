/** The contract of SyncGuard's stores, for a store's tests to extend. */
@NullMarked
package io.syncguard.testkit;

import org.jspecify.annotations.NullMarked;
