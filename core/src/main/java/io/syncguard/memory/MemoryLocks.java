package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.LockWatches;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a map. What the map holds for a key is the truth, and each operation takes effect in one
 * atomic step on it; the index by id only says which key to look at.
 */
final class MemoryLocks implements LockBackend, Sweeper.Sweepable {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("memory", true, TimeAuthority.SERVER);

  private final StoreClock clock;
  private final Fences fences;
  private final ConcurrentHashMap<ResourceKey, LockRecord> records = new ConcurrentHashMap<>();
  private final LockIndex index = new LockIndex();
  private final LockWatches<ResourceKey> watches = new LockWatches<>();
  private final Sweeper sweeper;
  private final AsyncLockBackend async = AsyncLockBackend.of(this, Runnable::run);
  private final OpenState open = new OpenState();

  MemoryLocks(StoreClock clock) {
    this(clock, 0);
  }

  MemoryLocks(StoreClock clock, long lastFence) {
    this.clock = clock;
    this.fences = new Fences(lastFence);
    this.sweeper = new Sweeper(clock.time(), this);
  }

  @Override
  public LockCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public AsyncLockBackend async() {
    return async;
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return LockIndex.newLockId();
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    open.begin(signal);
    LockRecord held =
        records.compute(request.key(), (key, present) -> keepOrReplace(present, request));
    if (held.isOwnedBy(request.lockId())) {
      forgetReplaced(held);
      sweeper.start();
      index.settle(held, records);
      return new AcquireAttempt.Granted(held.fence, held.expiresAt());
    }
    return new AcquireAttempt.Held(Liveness.remaining(held.expiresAtMs, clock.nowMs()));
  }

  /** Ends the index entry of an expired lock, once the record that took its place can be seen. */
  private void forgetReplaced(LockRecord held) {
    LockRecord replaced = held.replaced;
    if (replaced != null) {
      held.replaced = null;
      index.remove(replaced);
    }
  }

  private LockRecord keepOrReplace(@Nullable LockRecord present, AcquireRequest request) {
    long nowMs = clock.nowMs();
    if (present != null && present.isLiveAt(nowMs)) {
      return present;
    }
    Fence fence = fences.next(request.key());
    LockRecord taken =
        new LockRecord(
            request.key(), request.lockId(), fence, nowMs, nowMs + request.ttl().toMillis());
    taken.replaced = present;
    index.add(taken);
    return taken;
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    open.begin(CancelSignal.never());
    while (true) {
      LockRecord held = owned(lock);
      if (held == null) {
        return ReleaseResult.NOT_FOUND;
      }
      boolean live = held.isLiveAt(clock.nowMs());
      if (remove(held)) {
        watches.hint(held.key);
        return live ? ReleaseResult.RELEASED : ReleaseResult.EXPIRED;
      }
    }
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    open.begin(signal);
    while (true) {
      LockRecord held = owned(lock);
      if (held == null) {
        return ExtendResult.NotExtended.NOT_FOUND;
      }
      long nowMs = clock.nowMs();
      if (!held.isLiveAt(nowMs)) {
        return ExtendResult.NotExtended.EXPIRED;
      }
      LockRecord extended = held.expiringAt(nowMs + ttl.toMillis());
      if (records.replace(held.key, held, extended)) {
        return new ExtendResult.Extended(extended.expiresAt());
      }
    }
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return lookup(key, signal).isPresent();
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    open.begin(signal);
    return live(records.get(key));
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    open.begin(signal);
    return live(owned(new LockReference(lockId, null)));
  }

  @Override
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    return Optional.of(watches.add(key, hint, () -> true));
  }

  Scan<RawLockInfo> scan() {
    return new MapScan<>(open, records.values().iterator(), this::live);
  }

  private Optional<RawLockInfo> live(@Nullable LockRecord held) {
    return held != null && held.isLiveAt(clock.nowMs())
        ? Optional.of(held.info())
        : Optional.empty();
  }

  private @Nullable LockRecord owned(LockReference lock) {
    ResourceKey key = lock.key() == null ? index.keyOf(lock.lockId()) : lock.key();
    LockId lockId = lock.lockId();
    LockRecord held = key == null ? null : records.get(key);
    return held != null && held.isOwnedBy(lockId) ? held : null;
  }

  /**
   * Removes the record, unless it has changed meanwhile, and then its index entry: whoever does not
   * find an entry must not find the record either.
   */
  private boolean remove(LockRecord held) {
    boolean removed = records.remove(held.key, held);
    if (removed) {
      index.remove(held);
    }
    return removed;
  }

  /**
   * Forgets what expired so long ago that nobody is owed an "expired"; returns whether any is left.
   */
  @Override
  public boolean sweep() {
    long nowMs = clock.nowMs();
    for (LockRecord held : records.values()) {
      if (nowMs - held.expiresAtMs > Sweeper.KEEP_EXPIRED_MS) {
        remove(held);
      }
    }
    return !records.isEmpty();
  }

  int size() {
    return records.size();
  }

  void close() {
    open.close();
    records.clear();
    index.clear();
  }
}
