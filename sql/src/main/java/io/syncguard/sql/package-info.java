/** SyncGuard on PostgreSQL, and on SQLite where there is no server, through plain JDBC. */
@NullMarked
package io.syncguard.sql;

import org.jspecify.annotations.NullMarked;
