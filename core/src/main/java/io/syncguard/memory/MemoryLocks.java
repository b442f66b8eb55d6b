package io.syncguard.memory;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Watch;
import io.syncguard.spi.Watches;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a map. What the map holds for a key is the truth, and each operation takes effect in one
 * atomic step on it; the index by id only says which key to look at.
 */
final class MemoryLocks extends MemoryPart implements LockBackend {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("memory", true, TimeAuthority.SERVER);

  private final Fences fences;
  private final ConcurrentHashMap<ResourceKey, LockRecord> records = new ConcurrentHashMap<>();
  private final LockIndex index = new LockIndex();
  private final Watches<ResourceKey> watches = new Watches<>();

  MemoryLocks(StoreClock clock) {
    this(clock, 0);
  }

  MemoryLocks(StoreClock clock, long lastFence) {
    super(clock);
    this.fences = new Fences(lastFence);
  }

  @Override
  public LockCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return LockIndex.newLockId();
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
    begin(call.signal());
    LockRecord held =
        records.compute(acquire.key(), (key, present) -> keepOrReplace(present, acquire));
    if (!held.isOwnedBy(acquire.lockId())) {
      return completedFuture(
          new AcquireAttempt.Held(Liveness.remaining(held.expiresAtMs, clock.nowMs())));
    }
    forgetReplaced(held);
    sweepLater();
    index.settle(held, records);
    return completedFuture(new AcquireAttempt.Granted(held.fence, held.expiresAt()));
  }

  /** Ends the index entry of an expired lock, once the record that took its place can be seen. */
  private void forgetReplaced(LockRecord held) {
    LockRecord replaced = held.replaced;
    if (replaced != null) {
      held.replaced = null;
      index.remove(replaced);
    }
  }

  private LockRecord keepOrReplace(@Nullable LockRecord present, LockOperation.Acquire acquire) {
    long nowMs = clock.nowMs();
    if (present != null && present.isLiveAt(nowMs)) {
      return present;
    }
    Fence fence = fences.next(acquire.key());
    LockRecord taken =
        new LockRecord(
            acquire.key(), acquire.lockId(), fence, nowMs, nowMs + acquire.ttl().toMillis());
    taken.replaced = present;
    index.add(taken);
    return taken;
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    begin(call.signal());
    while (true) {
      LockRecord held = owned(release.lock());
      if (held == null) {
        return completedFuture(ReleaseResult.NOT_FOUND);
      }
      boolean live = held.isLiveAt(clock.nowMs());
      if (remove(held)) {
        watches.hint(held.key);
        return completedFuture(live ? ReleaseResult.RELEASED : ReleaseResult.EXPIRED);
      }
    }
  }

  @Override
  public CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call) {
    begin(call.signal());
    while (true) {
      LockRecord held = owned(extend.lock());
      if (held == null) {
        return completedFuture(ExtendResult.NotExtended.NOT_FOUND);
      }
      long nowMs = clock.nowMs();
      if (!held.isLiveAt(nowMs)) {
        return completedFuture(ExtendResult.NotExtended.EXPIRED);
      }
      LockRecord extended = held.expiringAt(nowMs + extend.ttl().toMillis());
      if (records.replace(held.key, held, extended)) {
        return completedFuture(new ExtendResult.Extended(extended.expiresAt()));
      }
    }
  }

  @Override
  public CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call) {
    begin(call.signal());
    return completedFuture(live(records.get(question.key())).isPresent());
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call) {
    begin(call.signal());
    return completedFuture(live(records.get(question.key())));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call) {
    begin(call.signal());
    return completedFuture(live(owned(new LockReference(question.lockId(), null))));
  }

  @Override
  public Optional<Watch> watch(ResourceKey key, Runnable hint) {
    return Optional.of(watches.add(key, hint, () -> true));
  }

  Scan<RawLockInfo> scan() {
    return new MapScan<>(this, records.values().iterator(), this::live);
  }

  private Optional<RawLockInfo> live(@Nullable LockRecord held) {
    return held != null && held.isLiveAt(clock.nowMs())
        ? Optional.of(held.info())
        : Optional.empty();
  }

  private @Nullable LockRecord owned(LockReference lock) {
    LockId lockId = lock.lockId();
    ResourceKey key = lock.key() == null ? index.keyOf(lockId) : lock.key();
    LockRecord held = key == null ? null : records.get(key);
    return held != null && held.isOwnedBy(lockId) ? held : null;
  }

  /**
   * Removes the record, unless it has changed meanwhile, and then its index entry: a caller that
   * does not find the entry must not find the record either.
   */
  private boolean remove(LockRecord held) {
    boolean removed = records.remove(held.key, held);
    if (removed) {
      index.remove(held);
    }
    return removed;
  }

  /** Forgets what expired so long ago that no late release is owed an "expired". */
  @Override
  boolean sweep() {
    long nowMs = clock.nowMs();
    for (LockRecord held : records.values()) {
      if (nowMs - held.expiresAtMs > Sweeper.KEEP_EXPIRED_MS) {
        remove(held);
      }
    }
    return !records.isEmpty();
  }

  @Override
  int size() {
    return records.size();
  }

  @Override
  void clear() {
    records.clear();
    index.clear();
  }
}
