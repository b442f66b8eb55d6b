/** For tests of applications that use SyncGuard. */
module io.syncguard.test {
  requires transitive io.syncguard;
  requires static transitive org.junit.jupiter.api;
  requires static transitive org.jspecify;

  exports io.syncguard.test;
}
