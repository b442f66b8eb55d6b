/** SyncGuard on a SQLite file, where there is no server. */
module io.syncguard.sqlite {
  requires transitive io.syncguard;
  requires io.syncguard.jdbc;
  requires org.slf4j;
  requires org.xerial.sqlitejdbc;
  requires static transitive org.jspecify;

  exports io.syncguard.sqlite;

  provides io.syncguard.spi.StoreProvider with
      io.syncguard.sqlite.SqliteStoreProvider;
}
