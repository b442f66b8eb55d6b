package io.syncguard.testkit;

class MemoryScanContractTest extends ScanContract {
  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }
}
