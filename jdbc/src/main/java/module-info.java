/** What SyncGuard's stores on SQL databases share. Only they may use it. */
@SuppressWarnings("module") // The stores are compiled after this, so they are not there yet.
module io.syncguard.jdbc {
  requires transitive io.syncguard;
  requires transitive java.sql;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.syncguard.jdbc to
      io.syncguard.postgresql,
      io.syncguard.sqlite;
  exports io.syncguard.jdbc.backend to
      io.syncguard.postgresql,
      io.syncguard.sqlite;
  exports io.syncguard.jdbc.script to
      io.syncguard.postgresql,
      io.syncguard.sqlite;
  exports io.syncguard.jdbc.sweep to
      io.syncguard.postgresql,
      io.syncguard.sqlite;
}
