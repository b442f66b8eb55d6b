package io.syncguard.testkit;

class MemorySemaphoreContractTest extends SemaphoreContract {
  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }
}
