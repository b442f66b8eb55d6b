package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** Opens stores for a URI's scheme. Found by {@link ServiceLoader}. */
public interface StoreProvider {

  /** Returns the schemes this provider opens, in lower case, without the colon. */
  Set<String> schemes();

  /**
   * Opens a store; may block while it connects.
   *
   * @param uri the whole URI; it may hold a password, so no message may repeat it
   * @param time what the store measures time by, if it has no clock of its own
   * @throws SyncGuardException with code INVALID_ARGUMENT if the URI is not one of this provider's
   */
  Store open(String uri, TimeSource time);

  /**
   * Opens a store with the provider of the URI's scheme; may block while it connects.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if there is none
   */
  static Store openStore(String uri, TimeSource time) {
    String scheme = Schemes.of(uri);
    Set<String> known = new TreeSet<>();
    for (StoreProvider provider :
        ServiceLoader.load(StoreProvider.class, StoreProvider.class.getClassLoader())) {
      if (provider.schemes().contains(scheme)) {
        return provider.open(uri, time);
      }
      known.addAll(provider.schemes());
    }
    throw Schemes.unknown(uri, known);
  }
}
