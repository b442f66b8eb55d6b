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
import io.syncguard.Subject;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks in two collections. Each operation reads, looks at this machine's clock, and then writes
 * what it decided unless a document has changed since.
 */
final class FirestoreLocks implements LockBackend {

  static final int DOCUMENTS_AT_A_TIME = 300;

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);
  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("firestore", true, TimeAuthority.CLIENT);

  private final Firestore firestore;
  private final CollectionReference locks;
  private final CollectionReference fences;
  private final Duration timeout;
  private final TimeSource time;
  private final @Nullable Cleanup cleanup;

  FirestoreLocks(Firestore firestore, FirestoreStoreOptions options, TimeSource time) {
    this.firestore = firestore;
    this.locks = firestore.collection(options.locksCollection());
    this.fences = firestore.collection(options.fencesCollection());
    this.timeout = options.timeout();
    this.time = time;
    this.cleanup = options.cleanupInIsLocked() ? new Cleanup(firestore, time) : null;
  }

  @Override
  public LockCapabilities capabilities() {
    return CAPABILITIES;
  }

  private DocumentReference document(ResourceKey key) {
    return locks.document(DocumentIds.ofLock(key));
  }

  private <T> CompletionStage<T> run(
      Operation<T> operation, Call call, OptimisticTransaction.Attempt<T> attempt) {
    return OptimisticTransaction.run(operation.subject(), call.within(timeout), attempt);
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
    DocumentReference lock = document(acquire.key());
    DocumentReference counter = fences.document(DocumentIds.ofFence(acquire.key()));
    return run(
        acquire,
        call,
        inDoubt -> decide(firestore.getAll(lock, counter), read -> attempt(acquire, read)));
  }

  private Decision<AcquireAttempt> attempt(
      LockOperation.Acquire acquire, List<DocumentSnapshot> read) {
    DocumentSnapshot lock = read.get(0);
    DocumentSnapshot counter = read.get(1);
    long nowMs = time.currentTimeMillis();
    LockDocument held = lock.exists() ? LockDocument.read(lock) : null;
    if (held != null && held.isLiveAt(nowMs)) {
      return Decision.of(
          held.lockId().equals(acquire.lockId())
              ? held.granted()
              : new AcquireAttempt.Held(Liveness.remaining(held.expiresAtMs(), nowMs)));
    }
    Fence fence = FenceDocument.next(counter, held, acquire.key());
    LockDocument taken =
        new LockDocument(
            acquire.key().value(),
            acquire.lockId(),
            fence,
            nowMs,
            nowMs + acquire.ttl().toMillis());
    WriteBatch writes = firestore.batch();
    put(writes, lock, taken.fields());
    put(writes, counter, FenceDocument.fields(fence, acquire.key()));
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
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    LockReference lock = release.lock();
    return run(
        release,
        call,
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
  public CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call) {
    LockReference lock = extend.lock();
    return run(
        extend,
        call,
        inDoubt -> decide(find(lock), found -> extended(lock.lockId(), found, extend.ttl())));
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
  public CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call) {
    return run(
        question,
        call,
        inDoubt -> decide(document(question.key()).get(), read -> Decision.of(isLive(read))));
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
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call) {
    return run(
        question,
        call,
        inDoubt -> decide(document(question.key()).get(), read -> Decision.of(live(read))));
  }

  private Optional<RawLockInfo> live(DocumentSnapshot read) {
    return Optional.of(read)
        .filter(DocumentSnapshot::exists)
        .map(LockDocument::read)
        .filter(document -> document.isLiveAt(time.currentTimeMillis()))
        .map(LockDocument::info);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call) {
    LockId lockId = question.lockId();
    return run(
        question, call, inDoubt -> decide(find(lockId), found -> Decision.of(live(found, lockId))));
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

  /** Reads documents in the order of their ids, from the beginning or after the given one. */
  CompletionStage<List<? extends DocumentSnapshot>> page(
      @Nullable DocumentSnapshot last, CancelSignal signal) {
    Query all = locks.orderBy(FieldPath.documentId()).limit(DOCUMENTS_AT_A_TIME);
    Query page = last == null ? all : all.startAfter(last);
    return OptimisticTransaction.run(
        Subject.NONE,
        Call.of(signal).within(timeout),
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

  @Override
  public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
    try {
      return Optional.of(
          new DocumentWatch(document(Objects.requireNonNull(waiter.key())), time, hints::look));
    } catch (RuntimeException e) {
      log.debug("A waiter polls, because a listener could not be opened", e);
      return Optional.empty();
    }
  }
}
