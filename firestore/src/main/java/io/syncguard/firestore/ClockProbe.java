package io.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.WriteResult;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.ClockSkew;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares this machine's clock with the times at which the server writes. */
final class ClockProbe {

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);
  private static final int SAMPLES = 5;

  private final Firestore firestore;
  private final String collection;
  private final Duration timeout;
  private final TimeSource time;

  ClockProbe(Firestore firestore, FirestoreStoreOptions options, TimeSource time) {
    this.firestore = firestore;
    this.collection = options.locksCollection();
    this.timeout = options.timeout();
    this.time = time;
  }

  /** Returns the most certain of a few measurements. */
  ClockSkew measure() {
    DocumentReference probe =
        firestore.collection(collection).document("syncguard-clock-" + UUID.randomUUID());
    try {
      return Stream.generate(() -> sample(probe))
          .limit(SAMPLES)
          .min(Comparator.comparing(ClockSkew::uncertainty))
          .orElseThrow();
    } finally {
      forget(probe);
    }
  }

  private void forget(DocumentReference probe) {
    try {
      answer(probe.delete());
    } catch (SyncGuardException e) {
      log.debug("The document that measured the clock could not be deleted", e);
    }
  }

  private ClockSkew sample(DocumentReference probe) {
    Instant before = Instant.ofEpochMilli(time.currentTimeMillis());
    Timestamp written =
        answer(probe.set(Map.of("writtenAt", FieldValue.serverTimestamp()))).getUpdateTime();
    Instant after = Instant.ofEpochMilli(time.currentTimeMillis());
    return ClockSkew.between(
        before, Instant.ofEpochSecond(written.getSeconds(), written.getNanos()), after);
  }

  private WriteResult answer(ApiFuture<WriteResult> write) {
    try {
      return write.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SyncGuardException(
          Code.ABORTED, "The thread was interrupted while it measured the clock", Subject.NONE, e);
    } catch (TimeoutException e) {
      throw new SyncGuardException(
          Code.NETWORK_TIMEOUT, "Firestore did not answer in time", Subject.NONE, e);
    } catch (ExecutionException e) {
      throw FirestoreFailures.of(e, Subject.NONE, false);
    }
  }
}
