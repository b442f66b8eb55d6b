package io.syncguard.redis;

import io.syncguard.spi.Store;
import io.syncguard.testkit.MovableTime;
import io.syncguard.testkit.StoreFixture;

/** A Redis under test, and what to close after it. */
final class RedisFixture implements StoreFixture {

  private final String uri;
  private final Runnable stop;
  private final MovableTime time = MovableTime.flowing();

  RedisFixture(String uri, Runnable stop) {
    this.uri = uri;
    this.stop = stop;
  }

  @Override
  public Store openClient() {
    return RedisStore.connect(uri);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  @Override
  public void close() {
    stop.run();
  }
}
