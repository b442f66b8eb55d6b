package io.syncguard.testkit;

import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;

/** What a contract has before its store is opened. */
final class UnopenedFixture implements StoreFixture {

  @Override
  public Store openClient() {
    throw new IllegalStateException("The store under test was not opened");
  }

  @Override
  public MovableTime time() {
    throw new IllegalStateException("The store under test was not opened");
  }

  @Override
  public void close() {}
}
