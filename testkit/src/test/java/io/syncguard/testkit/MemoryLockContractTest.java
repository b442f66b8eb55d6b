package io.syncguard.testkit;

class MemoryLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }
}
