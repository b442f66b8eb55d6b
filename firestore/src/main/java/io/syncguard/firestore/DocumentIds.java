package io.syncguard.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.StorageKeys;

/**
 * What SyncGuard's documents are called. A name stands as it is, the same for clients in every
 * language, unless Firestore would take it for something else: a slash begins a further collection,
 * and some ids are reserved. Only then is it percent-encoded.
 */
final class DocumentIds {

  /** The longest id that Firestore takes. */
  static final int LONGEST_BYTES = 1500;

  private static final StorageKeys NAMES = new StorageKeys("", LONGEST_BYTES, 0);
  private static final String RESERVED_ENDS = "__";

  private DocumentIds() {}

  static String ofLock(ResourceKey key) {
    return encoded(NAMES.of(key.value()));
  }

  static String ofFence(ResourceKey key) {
    return encoded(NAMES.fenceOf(key.value()));
  }

  /** A name that is too long because it had to be encoded is shortened as any other. */
  private static String encoded(String name) {
    String id = reservedEncoded(name.replace("%", "%25").replace("/", "%2F"));
    return id.getBytes(UTF_8).length <= LONGEST_BYTES ? id : NAMES.of(id);
  }

  private static String reservedEncoded(String name) {
    if (name.equals(".") || name.equals("..")) {
      return name.replace(".", "%2E");
    }
    return isReserved(name) ? "%5F" + name.substring(1) : name;
  }

  static boolean isReserved(String name) {
    return name.length() >= 2 * RESERVED_ENDS.length()
        && name.startsWith(RESERVED_ENDS)
        && name.endsWith(RESERVED_ENDS);
  }
}
