package io.syncguard.bench.sql.contestant;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.postgresql.PostgresOptions;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.sqlite.SqliteStore;
import java.nio.file.Path;
import javax.sql.DataSource;

/** Opens SyncGuard's stores. */
public final class SyncGuardStores {

  public static final String LOCKS = PostgresOptions.DEFAULT_LOCKS_TABLE;
  public static final String COUNTERS = PostgresOptions.DEFAULT_FENCES_TABLE;

  private SyncGuardStores() {}

  /** Sets up the schema and opens a store on this pool. */
  public static SyncGuard onPostgres(DataSource pool) {
    return onPostgres(pool, GuardOptions.defaults());
  }

  /** The same with options of the guard. */
  public static SyncGuard onPostgres(DataSource pool, GuardOptions options) {
    PostgresStore store = PostgresStore.over(pool, PostgresOptions.defaults());
    store.setupSchema();
    return SyncGuard.over(store, options);
  }

  /** Opens a store in this file. */
  public static SyncGuard onSqlite(Path file) {
    return SyncGuard.over(SqliteStore.open(file));
  }
}
