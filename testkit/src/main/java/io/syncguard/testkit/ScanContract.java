package io.syncguard.testkit;

import io.syncguard.testkit.scan.LockScanSuite;
import io.syncguard.testkit.scan.SemaphoreScanSuite;

/**
 * The whole contract of a store's lists of locks and semaphores. A store's test class extends this,
 * says how to open the store, and is done when all is green.
 */
public abstract class ScanContract extends StoreContract
    implements LockScanSuite, SemaphoreScanSuite {

  /** For subclasses. */
  protected ScanContract() {}
}
