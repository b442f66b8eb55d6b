package io.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock's document and where it was read.
 *
 * @param snapshot as it was read
 * @param document what it says
 */
record StoredLock(DocumentSnapshot snapshot, LockDocument document) {

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);

  static StoredLock read(DocumentSnapshot snapshot) {
    return new StoredLock(snapshot, LockDocument.read(snapshot));
  }

  /**
   * Returns the lock with this id, the live one where there are several documents; null if none.
   * Every acquisition has its own id, so that further documents can only be copies.
   *
   * @throws SyncGuardException with code INTERNAL if it cannot be told which one is meant
   */
  static @Nullable StoredLock owned(
      List<? extends DocumentSnapshot> found, LockId lockId, long nowMs) {
    List<StoredLock> owned =
        found.stream()
            .filter(DocumentSnapshot::exists)
            .filter(snapshot -> lockId.value().equals(snapshot.get(LockDocument.LOCK_ID)))
            .map(StoredLock::read)
            .toList();
    return owned.size() > 1
        ? chosen(owned, lockId, nowMs)
        : owned.stream().findFirst().orElse(null);
  }

  private static @Nullable StoredLock chosen(List<StoredLock> owned, LockId lockId, long nowMs) {
    log.warn(
        "{} documents have the lockId with hash {}: a lock has been copied",
        owned.size(),
        lockId.hash());
    List<StoredLock> originals = owned.stream().filter(StoredLock::isWhereItsKeyBelongs).toList();
    if (originals.stream().filter(lock -> lock.document.isLiveAt(nowMs)).count() > 1) {
      throw new SyncGuardException(
          Code.INTERNAL,
          "Several live locks have this lockId; nothing was changed. A handle, which knows its key,"
              + " can still release and extend its own");
    }
    return originals.stream()
        .max(Comparator.comparingLong(lock -> lock.document.expiresAtMs()))
        .orElse(null);
  }

  /** Returns what the document says, if it is a lock's and no copy. */
  static Optional<LockDocument> original(DocumentSnapshot snapshot) {
    try {
      return Optional.of(read(snapshot))
          .filter(StoredLock::isWhereItsKeyBelongs)
          .map(StoredLock::document);
    } catch (SyncGuardException e) {
      return Optional.empty();
    }
  }

  private boolean isWhereItsKeyBelongs() {
    return snapshot.getId().equals(DocumentIds.ofLock(ResourceKey.of(document.key())));
  }

  WriteBatch deletion(Firestore firestore) {
    return firestore.batch().delete(snapshot.getReference(), asRead());
  }

  WriteBatch extension(Firestore firestore, long expiresAtMs) {
    return firestore
        .batch()
        .update(snapshot.getReference(), Map.of(LockDocument.EXPIRES_AT, expiresAtMs), asRead());
  }

  private Precondition asRead() {
    return Precondition.updatedAt(snapshot.getUpdateTime());
  }
}
