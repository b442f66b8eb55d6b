/** Locks with fencing tokens and the other SyncGuard primitives, with an in-memory store. */
module io.syncguard {
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.syncguard;
  exports io.syncguard.counter;
  exports io.syncguard.limit;
  exports io.syncguard.lock;
  exports io.syncguard.secret;
  exports io.syncguard.semaphore;
  exports io.syncguard.spi;
  exports io.syncguard.spi.limit;
  exports io.syncguard.spi.lock;
  exports io.syncguard.spi.secret;
  exports io.syncguard.spi.semaphore;
  exports io.syncguard.telemetry;

  uses io.syncguard.spi.StoreProvider;

  provides io.syncguard.spi.StoreProvider with
      io.syncguard.memory.MemoryStoreProvider;
}
