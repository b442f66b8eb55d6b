package io.syncguard.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.SyncGuardException;
import java.time.Duration;

/** How a {@link FirestoreStore} behaves. Immutable; start from {@link #defaults()}. */
public final class FirestoreStoreOptions {

  /** The collection of the locks unless told otherwise. */
  public static final String DEFAULT_LOCKS_COLLECTION = "locks";

  /** The collection of the fence counters unless told otherwise. */
  public static final String DEFAULT_FENCES_COLLECTION = "fence_counters";

  /** How long an operation may take unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  private static final FirestoreStoreOptions DEFAULTS =
      new FirestoreStoreOptions(
          DEFAULT_LOCKS_COLLECTION, DEFAULT_FENCES_COLLECTION, DEFAULT_TIMEOUT, false);

  private final String locksCollection;
  private final String fencesCollection;
  private final Duration timeout;
  private final boolean cleanupInIsLocked;

  private FirestoreStoreOptions(
      String locksCollection,
      String fencesCollection,
      Duration timeout,
      boolean cleanupInIsLocked) {
    this.locksCollection = locksCollection;
    this.fencesCollection = fencesCollection;
    this.timeout = timeout;
    this.cleanupInIsLocked = cleanupInIsLocked;
  }

  /** Returns: the collections above, 10 s for an operation, and no cleanup. */
  public static FirestoreStoreOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with other collections. They must differ, since fence counters outlive
   * their locks, and be ids of top-level collections: at most 1500 bytes, no slash, not {@code .}
   * or {@code ..}, and not between double underscores.
   */
  public FirestoreStoreOptions withCollections(String locks, String fences) {
    checkCollection(locks);
    checkCollection(fences);
    if (locks.equals(fences)) {
      throw SyncGuardException.invalidArgument(
          "Locks and fence counters must be in different collections, not both in " + locks);
    }
    return new FirestoreStoreOptions(locks, fences, timeout, cleanupInIsLocked);
  }

  private static void checkCollection(String id) {
    if (id.isBlank()
        || id.indexOf('/') >= 0
        || id.equals(".")
        || id.equals("..")
        || DocumentIds.isReserved(id)
        || id.getBytes(UTF_8).length > DocumentIds.LONGEST_BYTES) {
      throw SyncGuardException.invalidArgument(
          "A collection's id is not blank, has no slash and at most "
              + DocumentIds.LONGEST_BYTES
              + " bytes, and is neither . nor .. nor like __this__");
    }
  }

  /**
   * Returns these options with another time for an operation, after which it fails with
   * NETWORK_TIMEOUT.
   */
  public FirestoreStoreOptions withTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
      throw SyncGuardException.invalidArgument("The timeout is at least 1 ms, not " + timeout);
    }
    return new FirestoreStoreOptions(locksCollection, fencesCollection, timeout, cleanupInIsLocked);
  }

  /**
   * Returns these options with {@code isLocked} deleting, now and then and in the background, a
   * lock that expired more than two seconds ago by this machine's clock. Otherwise it stays until
   * its key is acquired again.
   */
  public FirestoreStoreOptions withCleanupInIsLocked(boolean cleanupInIsLocked) {
    return new FirestoreStoreOptions(locksCollection, fencesCollection, timeout, cleanupInIsLocked);
  }

  /** Returns the collection of the locks. */
  public String locksCollection() {
    return locksCollection;
  }

  /** Returns the collection of the fence counters. */
  public String fencesCollection() {
    return fencesCollection;
  }

  /** Returns whether {@code isLocked} cleans up. */
  public boolean cleanupInIsLocked() {
    return cleanupInIsLocked;
  }

  /** Returns how long an operation may take. */
  public Duration timeout() {
    return timeout;
  }
}
