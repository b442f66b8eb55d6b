package io.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.WriteBatch;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lock operations. Each reads, looks at this machine's clock, and then writes what it decided
 * unless a document has changed since.
 */
final class AsyncFirestoreLocks implements AsyncLockBackend {

  static final int DOCUMENTS_AT_A_TIME = 300;

  private final Firestore firestore;
  private final CollectionReference locks;
  private final CollectionReference fences;
  private final Duration timeout;
  private final TimeSource time;
  private final @Nullable Cleanup cleanup;

  AsyncFirestoreLocks(Firestore firestore, FirestoreStoreOptions options, TimeSource time) {
    this.firestore = firestore;
    this.locks = firestore.collection(options.locksCollection());
    this.fences = firestore.collection(options.fencesCollection());
    this.timeout = options.timeout();
    this.time = time;
    this.cleanup = options.cleanupInIsLocked() ? new Cleanup(firestore, time) : null;
  }

  DocumentReference document(ResourceKey key) {
    return locks.document(DocumentIds.ofLock(key));
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
    DocumentReference lock = document(request.key());
    DocumentReference counter = fences.document(DocumentIds.ofFence(request.key()));
    return OptimisticTransaction.run(
        call(request.key(), request.lockId(), signal).within(request.timeout()),
        inDoubt -> decide(firestore.getAll(lock, counter), read -> attempt(request, read)));
  }

  private Decision<AcquireAttempt> attempt(AcquireRequest request, List<DocumentSnapshot> read) {
    DocumentSnapshot lock = read.get(0);
    DocumentSnapshot counter = read.get(1);
    long nowMs = time.currentTimeMillis();
    LockDocument held = lock.exists() ? LockDocument.read(lock) : null;
    if (held != null && held.isLiveAt(nowMs)) {
      return Decision.of(
          held.lockId().equals(request.lockId())
              ? held.granted()
              : new AcquireAttempt.Held(Liveness.remaining(held.expiresAtMs(), nowMs)));
    }
    Fence fence = FenceDocument.next(counter, held, request.key());
    LockDocument taken =
        new LockDocument(
            request.key().value(),
            request.lockId(),
            fence,
            nowMs,
            nowMs + request.ttl().toMillis());
    WriteBatch writes = firestore.batch();
    put(writes, lock, taken.fields());
    put(writes, counter, FenceDocument.fields(fence, request.key()));
    return new Decision<>(taken.granted(), writes);
  }

  private static void put(WriteBatch writes, DocumentSnapshot read, Map<String, Object> fields) {
    if (read.exists()) {
      writes.update(read.getReference(), fields, Precondition.updatedAt(read.getUpdateTime()));
    } else {
      writes.create(read.getReference(), fields);
    }
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockReference lock, Duration limit) {
    return OptimisticTransaction.run(
        new Call(lock.context(), CancelSignal.never(), timeout).within(limit),
        inDoubt -> decide(find(lock), found -> released(lock.lockId(), found, inDoubt)));
  }

  /** A lock that is gone after a deletion in doubt was deleted by it. */
  private Decision<ReleaseResult> released(
      LockId lockId, List<? extends DocumentSnapshot> found, @Nullable ReleaseResult inDoubt) {
    long nowMs = time.currentTimeMillis();
    StoredLock owned = StoredLock.owned(found, lockId, nowMs);
    if (owned == null) {
      return Decision.of(inDoubt == null ? ReleaseResult.NOT_FOUND : inDoubt);
    }
    return new Decision<>(
        owned.document().isLiveAt(nowMs) ? ReleaseResult.RELEASED : ReleaseResult.EXPIRED,
        owned.deletion(firestore));
  }

  @Override
  public CompletionStage<ExtendResult> extend(
      LockReference lock, Duration ttl, CancelSignal signal) {
    return OptimisticTransaction.run(
        new Call(lock.context(), signal, timeout),
        inDoubt -> decide(find(lock), found -> extended(lock.lockId(), found, ttl)));
  }

  private Decision<ExtendResult> extended(
      LockId lockId, List<? extends DocumentSnapshot> found, Duration ttl) {
    long nowMs = time.currentTimeMillis();
    StoredLock owned = StoredLock.owned(found, lockId, nowMs);
    if (owned == null) {
      return Decision.of(NotExtended.NOT_FOUND);
    }
    if (!owned.document().isLiveAt(nowMs)) {
      return Decision.of(NotExtended.EXPIRED);
    }
    long expiresAtMs = nowMs + ttl.toMillis();
    return new Decision<>(
        new ExtendResult.Extended(Instant.ofEpochMilli(expiresAtMs)),
        owned.extension(firestore, expiresAtMs));
  }

  @Override
  public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
    return OptimisticTransaction.run(
        call(key, null, signal),
        inDoubt -> decide(document(key).get(), read -> Decision.of(isLive(read))));
  }

  private boolean isLive(DocumentSnapshot read) {
    if (!read.exists()) {
      return false;
    }
    StoredLock lock = StoredLock.read(read);
    long nowMs = time.currentTimeMillis();
    if (cleanup != null) {
      cleanup.maybe(lock, nowMs);
    }
    return lock.document().isLiveAt(nowMs);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
    return OptimisticTransaction.run(
        call(key, null, signal),
        inDoubt -> decide(document(key).get(), read -> Decision.of(live(read))));
  }

  private Optional<RawLockInfo> live(DocumentSnapshot read) {
    return Optional.of(read)
        .filter(DocumentSnapshot::exists)
        .map(LockDocument::read)
        .filter(document -> document.isLiveAt(time.currentTimeMillis()))
        .map(LockDocument::info);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
    return OptimisticTransaction.run(
        call(null, lockId, signal),
        inDoubt -> decide(find(lockId), found -> Decision.of(live(found, lockId))));
  }

  private Optional<RawLockInfo> live(List<? extends DocumentSnapshot> found, LockId lockId) {
    long nowMs = time.currentTimeMillis();
    return Optional.ofNullable(StoredLock.owned(found, lockId, nowMs))
        .map(StoredLock::document)
        .filter(document -> document.isLiveAt(nowMs))
        .map(LockDocument::info);
  }

  private ApiFuture<? extends List<? extends DocumentSnapshot>> find(LockReference lock) {
    return lock.key() == null ? find(lock.lockId()) : firestore.getAll(document(lock.key()));
  }

  /** All that have the id, so that copies are noticed. */
  private ApiFuture<? extends List<? extends DocumentSnapshot>> find(LockId lockId) {
    return ApiFutures.transform(
        locks.whereEqualTo(LockDocument.LOCK_ID, lockId.value()).get(),
        QuerySnapshot::getDocuments,
        Runnable::run);
  }

  /** Reads documents in the order of their ids, from the beginning or after that one. */
  CompletionStage<List<? extends DocumentSnapshot>> page(
      @Nullable DocumentSnapshot last, CancelSignal signal) {
    Query all = locks.orderBy(FieldPath.documentId()).limit(DOCUMENTS_AT_A_TIME);
    Query page = last == null ? all : all.startAfter(last);
    return OptimisticTransaction.run(
        call(null, null, signal),
        inDoubt -> decide(page.get(), found -> Decision.of(found.getDocuments())));
  }

  /** Leaves out what has expired, is damaged, or is only a copy of a lock. */
  List<RawLockInfo> liveOf(List<? extends DocumentSnapshot> page) {
    long nowMs = time.currentTimeMillis();
    return page.stream()
        .flatMap(snapshot -> StoredLock.original(snapshot).stream())
        .filter(document -> document.isLiveAt(nowMs))
        .map(LockDocument::info)
        .toList();
  }

  private static <R, T> ApiFuture<Decision<T>> decide(
      ApiFuture<? extends R> reading, Function<R, Decision<T>> decision) {
    return ApiFutures.transform(reading, decision::apply, Runnable::run);
  }

  private Call call(@Nullable ResourceKey key, @Nullable LockId lockId, CancelSignal signal) {
    return new Call(
        new SyncGuardException.Context(
            key == null ? null : key.value(), lockId == null ? null : lockId.value()),
        signal,
        timeout);
  }
}
