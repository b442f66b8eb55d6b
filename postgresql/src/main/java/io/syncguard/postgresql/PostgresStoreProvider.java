package io.syncguard.postgresql;

import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.util.Set;

/** Opens {@code postgresql:} URIs. */
public final class PostgresStoreProvider implements StoreProvider {

  /** For {@link java.util.ServiceLoader}. */
  public PostgresStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return PostgresUri.SCHEMES;
  }

  @Override
  public Store open(String uri, TimeSource time) {
    return PostgresStore.connect(uri, PostgresOptions.defaults(), time);
  }
}
