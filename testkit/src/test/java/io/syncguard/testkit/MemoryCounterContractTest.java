package io.syncguard.testkit;

class MemoryCounterContractTest extends CounterContract {
  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }
}
