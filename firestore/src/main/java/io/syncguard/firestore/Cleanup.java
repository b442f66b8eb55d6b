package io.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.WriteResult;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes locks that expired long ago, in the background and not too often. It never touches a
 * fence counter, nor a lock that has changed since it was read.
 */
final class Cleanup {

  /** How long ago a lock must have expired: clocks may disagree by the tolerance. */
  static final long LONG_AGO_MS = Liveness.TOLERANCE_MS + 1000;

  static final Duration AT_MOST_EVERY = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);

  private final Firestore firestore;
  private final TimeSource time;
  private final AtomicLong lastAt;

  Cleanup(Firestore firestore, TimeSource time) {
    this.firestore = firestore;
    this.time = time;
    this.lastAt = new AtomicLong(time.nanoTime() - AT_MOST_EVERY.toNanos());
  }

  /** Returns at once; the lock is deleted later, or not at all. */
  void maybe(StoredLock lock, long nowMs) {
    if (nowMs - lock.document().expiresAtMs() > LONG_AGO_MS && isTimeFor()) {
      ignore(lock.deletion(firestore).commit());
    }
  }

  private boolean isTimeFor() {
    long now = time.nanoTime();
    long last = lastAt.get();
    return now - last >= AT_MOST_EVERY.toNanos() && lastAt.compareAndSet(last, now);
  }

  /** A client that has changed the lock meanwhile, or comes later, sees to it. */
  private static void ignore(ApiFuture<List<WriteResult>> deletion) {
    ApiFutures.addCallback(
        deletion,
        new ApiFutureCallback<List<WriteResult>>() {
          @Override
          public void onSuccess(List<WriteResult> written) {}

          @Override
          public void onFailure(Throwable failure) {
            log.debug("An expired lock was not deleted", failure);
          }
        },
        Runnable::run);
  }
}
