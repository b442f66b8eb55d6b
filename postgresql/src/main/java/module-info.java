/** SyncGuard on PostgreSQL. */
module io.syncguard.postgresql {
  requires transitive io.syncguard;
  requires transitive java.sql;
  requires com.zaxxer.hikari;
  requires io.syncguard.jdbc;
  requires org.postgresql.jdbc;
  requires org.slf4j;
  requires static org.checkerframework.checker.qual;
  requires static transitive org.jspecify;

  exports io.syncguard.postgresql;

  provides io.syncguard.spi.StoreProvider with
      io.syncguard.postgresql.PostgresStoreProvider;
}
