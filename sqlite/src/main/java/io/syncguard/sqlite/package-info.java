/** SyncGuard on a SQLite file, where there is no server, through plain JDBC. */
@NullMarked
package io.syncguard.sqlite;

import org.jspecify.annotations.NullMarked;
