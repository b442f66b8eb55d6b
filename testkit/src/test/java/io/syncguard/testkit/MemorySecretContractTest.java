package io.syncguard.testkit;

class MemorySecretContractTest extends SecretContract {
  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }
}
