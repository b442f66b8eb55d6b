/** SyncGuard on PostgreSQL, and on SQLite where there is no server. */
module io.syncguard.sql {
  requires transitive io.syncguard;
  requires transitive java.sql;
  requires com.zaxxer.hikari;
  requires org.postgresql.jdbc;
  requires org.slf4j;
  requires org.xerial.sqlitejdbc;
  requires static org.checkerframework.checker.qual;
  requires static transitive org.jspecify;

  exports io.syncguard.sql;

  provides io.syncguard.spi.StoreProvider with
      io.syncguard.sql.PostgresStoreProvider,
      io.syncguard.sql.SqliteStoreProvider;
}
