package io.syncguard.bench.sql;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.sql.PostgresOptions;
import io.syncguard.sql.PostgresStore;
import io.syncguard.sql.SqliteStore;
import java.nio.file.Path;
import javax.sql.DataSource;

/** Opens the stores that are measured. */
final class OurStore {

  static final String LOCKS = PostgresOptions.DEFAULT_LOCKS_TABLE;
  static final String COUNTERS = PostgresOptions.DEFAULT_FENCES_TABLE;

  private OurStore() {}

  /** Sets up the schema and opens a store on this pool. */
  static SyncGuard onPostgres(DataSource pool) {
    return onPostgres(pool, GuardOptions.defaults());
  }

  /** The same with options of the guard. */
  static SyncGuard onPostgres(DataSource pool, GuardOptions options) {
    PostgresStore store = PostgresStore.over(pool, PostgresOptions.defaults());
    store.setupSchema();
    return SyncGuard.over(store, options);
  }

  /** Opens a store in this file. */
  static SyncGuard onSqlite(Path file) {
    return SyncGuard.over(SqliteStore.open(file));
  }
}
