package io.syncguard.firestore;

import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.ListenerRegistration;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Watch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener on a lock's document. It is told how the document is when it begins and of each change
 * after that, by any client, and passes on only that the lock may be free. When it begins it does
 * so in any case: a change that comes while a listener is being opened may be lost.
 */
final class DocumentWatch implements Watch {

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);

  private final TimeSource time;
  private final Runnable hint;
  private final AtomicBoolean listening = new AtomicBoolean();
  private final ListenerRegistration registration;

  DocumentWatch(DocumentReference lock, TimeSource time, Runnable hint) {
    this.time = time;
    this.hint = hint;
    this.registration = lock.addSnapshotListener(this::changed);
  }

  private void changed(@Nullable DocumentSnapshot lock, @Nullable FirestoreException refusal) {
    if (refusal != null) {
      noteEnd(FirestoreFailures.statusOf(refusal));
    }
    boolean begins = !listening.getAndSet(true);
    if (begins || lock == null || !isHeld(lock)) {
      hint.run();
    }
  }

  /** The client listens again by itself after an outage, and is unavailable only once closed. */
  private static void noteEnd(StatusCode.Code reason) {
    if (reason != StatusCode.Code.UNAVAILABLE) {
      log.warn(
          "Firestore does not tell this client of changes, so a waiter for a lock asks again from"
              + " time to time instead: {}",
          reason);
    }
  }

  private boolean isHeld(DocumentSnapshot lock) {
    return lock.exists()
        && lock.get(LockDocument.EXPIRES_AT) instanceof Number expiresAtMs
        && Liveness.isLive(expiresAtMs.longValue(), time.currentTimeMillis());
  }

  /** So that a release in this process is not waited for until Firestore tells of it. */
  @Override
  public boolean isTold() {
    return false;
  }

  @Override
  public void close() {
    try {
      registration.remove();
    } catch (RejectedExecutionException e) {
      log.debug("A listener ended before, with the client that it belonged to", e);
    }
  }
}
