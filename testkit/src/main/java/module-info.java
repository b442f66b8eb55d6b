/** The contract that every SyncGuard store keeps, as JUnit suites. */
module io.syncguard.testkit {
  requires transitive io.syncguard;
  requires transitive io.syncguard.test;
  requires transitive java.sql;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires transitive org.assertj.core;
  requires org.tukaani.xz;
  requires static transitive org.jspecify;

  exports io.syncguard.testkit;
  exports io.syncguard.testkit.fault;
  exports io.syncguard.testkit.history;
  exports io.syncguard.testkit.limit;
  exports io.syncguard.testkit.lock;
  exports io.syncguard.testkit.process;
  exports io.syncguard.testkit.scan;
  exports io.syncguard.testkit.secret;
  exports io.syncguard.testkit.semaphore;
  exports io.syncguard.testkit.server;
}
