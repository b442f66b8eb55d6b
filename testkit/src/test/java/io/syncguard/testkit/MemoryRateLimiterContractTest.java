package io.syncguard.testkit;

class MemoryRateLimiterContractTest extends RateLimiterContract {
  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }
}
