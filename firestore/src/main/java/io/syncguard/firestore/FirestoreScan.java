package io.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Scan;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A walk in the order of the documents' ids: a page begins after the last of the one before. */
final class FirestoreScan implements Scan<RawLockInfo> {

  private final FirestoreLocks locks;
  private @Nullable DocumentSnapshot last;

  FirestoreScan(FirestoreLocks locks) {
    this.locks = locks;
  }

  @Override
  public Optional<List<RawLockInfo>> next(CancelSignal signal) {
    List<? extends DocumentSnapshot> page = read(signal);
    if (page.isEmpty()) {
      return Optional.empty();
    }
    last = page.get(page.size() - 1);
    return Optional.of(locks.liveOf(page));
  }

  private List<? extends DocumentSnapshot> read(CancelSignal signal) {
    try {
      return locks.page(last, signal).toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SyncGuardException(
          Code.ABORTED, "The thread was interrupted before Firestore answered", Subject.NONE, e);
    } catch (ExecutionException e) {
      throw FirestoreFailures.of(e.getCause() == null ? e : e.getCause(), Subject.NONE, false);
    }
  }
}
