/** SyncGuard on PostgreSQL, through plain JDBC. */
@NullMarked
package io.syncguard.postgresql;

import org.jspecify.annotations.NullMarked;
