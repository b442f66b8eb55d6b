package io.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.ClockSkew;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.LockBackend;
import java.util.Optional;

/**
 * SyncGuard's locks on Google Cloud Firestore, in native mode. Each client's own clock decides when
 * a lock expires, so that clocks must agree: see {@link #measureClockSkew}. Thread-safe; one is
 * enough for an application.
 */
public final class FirestoreStore implements Store {

  private final FirestoreLocks locks;
  private final ClockProbe clock;
  private final Runnable closing;

  private FirestoreStore(
      Firestore firestore, FirestoreStoreOptions options, TimeSource time, Runnable closing) {
    this.locks = new FirestoreLocks(firestore, options, time);
    this.clock = new ClockProbe(firestore, options, time);
    this.closing = closing;
  }

  /** Blocks while it looks for credentials; see {@link #connect(String, FirestoreStoreOptions)}. */
  public static FirestoreStore connect(String uri) {
    return connect(uri, FirestoreStoreOptions.defaults());
  }

  /**
   * Blocks while it looks for the application default credentials; Firestore itself is not asked
   * yet. The URI is like {@code firestore://project/database}, and without a database it is the
   * default one. Its parameters are {@code locksCollection}, {@code fencesCollection}, {@code
   * timeout}, {@code cleanupInIsLocked}, and {@code emulator} with a host and a port; they prevail
   * over the options.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT for a bad URI, AUTH_FAILED without
   *     credentials
   */
  public static FirestoreStore connect(String uri, FirestoreStoreOptions options) {
    return connect(uri, options, TimeSource.system());
  }

  static FirestoreStore connect(String uri, FirestoreStoreOptions options, TimeSource time) {
    FirestoreUri parsed = FirestoreUri.parse(uri, options);
    OwnClient client = OwnClient.open(parsed);
    return new FirestoreStore(client.firestore(), parsed.options(), time, client::close);
  }

  /**
   * Returns at once a store over a client that the caller has, and that stays open when the store
   * is closed.
   */
  public static FirestoreStore over(Firestore firestore, FirestoreStoreOptions options) {
    return over(firestore, options, TimeSource.system());
  }

  static FirestoreStore over(Firestore firestore, FirestoreStoreOptions options, TimeSource time) {
    return new FirestoreStore(firestore, options, time, () -> {});
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public Scan<RawLockInfo> scanLocks() {
    return new FirestoreScan(locks);
  }

  /** There are none. */
  @Override
  public Scan<SemaphoreStats> scanSemaphores() {
    return signal -> Optional.empty();
  }

  /**
   * Blocks while a document is written a few times, and deleted, in the locks' collection: the
   * times that the server gives it are compared with this machine's clock.
   */
  @Override
  public Optional<ClockSkew> measureClockSkew() {
    return Optional.of(clock.measure());
  }

  @Override
  public void close() {
    closing.run();
  }
}
