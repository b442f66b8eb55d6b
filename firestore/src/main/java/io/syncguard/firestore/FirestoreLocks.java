package io.syncguard.firestore;

import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.AwaitingLockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.TimeSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Locks in two collections. */
final class FirestoreLocks extends AwaitingLockBackend {

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);
  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("firestore", true, TimeAuthority.CLIENT);

  private final AsyncFirestoreLocks operations;
  private final TimeSource time;

  FirestoreLocks(AsyncFirestoreLocks operations, TimeSource time) {
    super(operations);
    this.operations = operations;
    this.time = time;
  }

  @Override
  public LockCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    try {
      return Optional.of(new DocumentWatch(operations.document(key), time, hint));
    } catch (RuntimeException e) {
      log.debug("A waiter polls, because a listener could not be opened", e);
      return Optional.empty();
    }
  }

  Scan<RawLockInfo> scan() {
    return new FirestoreScan(operations);
  }
}
