package io.syncguard.firestore;

import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.util.Set;

/** Opens {@code firestore:} URIs. */
public final class FirestoreStoreProvider implements StoreProvider {

  /** For {@link java.util.ServiceLoader}. */
  public FirestoreStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of(FirestoreUri.SCHEME);
  }

  @Override
  public Store open(String uri, TimeSource time) {
    return FirestoreStore.connect(uri, FirestoreStoreOptions.defaults(), time);
  }
}
