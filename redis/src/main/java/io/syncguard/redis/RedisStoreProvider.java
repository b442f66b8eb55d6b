package io.syncguard.redis;

import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.util.Set;

/**
 * Opens {@code redis:}, {@code redis-sentinel:} and {@code redis-cluster:} URIs, with TLS or
 * without.
 */
public final class RedisStoreProvider implements StoreProvider {

  /** For {@link java.util.ServiceLoader}. */
  public RedisStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return RedisUri.SCHEMES;
  }

  @Override
  public Store open(String uri, TimeSource time) {
    return RedisStore.connect(uri);
  }
}
