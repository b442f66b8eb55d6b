package io.syncguard.memory;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.util.Set;

/** Opens {@code memory:}, each time a new store. */
public final class MemoryStoreProvider implements StoreProvider {

  private static final String SCHEME = "memory";

  /** For {@link java.util.ServiceLoader}. */
  public MemoryStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public Store open(String uri, TimeSource time) {
    if (uri.length() != SCHEME.length() + 1) {
      throw SyncGuardException.invalidArgument(
          "The in-memory store's URI is just 'memory:', with nothing behind the colon");
    }
    return new MemoryStore(time);
  }
}
