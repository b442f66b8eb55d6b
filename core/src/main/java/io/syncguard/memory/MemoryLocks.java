package io.syncguard.memory;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
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
  private final LockWaiters waiters = new LockWaiters();

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
  public boolean hasQueue() {
    return true;
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
    begin(call.signal());
    LockStep step = newStep();
    LockRecord held =
        records.compute(acquire.key(), (key, present) -> step.acquire(present, acquire));
    step.finish();
    if (!step.isHeld()) {
      return completedFuture(contended(held, step.ticket()));
    }
    index.forgetReplacedBy(held);
    sweepLater();
    index.settle(held, records);
    return completedFuture(new AcquireAttempt.Granted(held.fence, held.expiresAt()));
  }

  private AcquireAttempt contended(LockRecord held, long ticket) {
    Duration remaining = Liveness.remaining(held.expiresAtMs, clock.nowMs());
    return ticket == 0
        ? new AcquireAttempt.Held(remaining)
        : new AcquireAttempt.Queued(ticket, remaining);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    begin(call.signal());
    while (true) {
      LockRecord held = owned(release.lock());
      if (held == null) {
        return completedFuture(leave(release.lock()));
      }
      boolean live = held.isLiveAt(clock.nowMs());
      if (held.queue == null ? remove(held) : passOn(held, held.queue)) {
        return completedFuture(live ? ReleaseResult.RELEASED : ReleaseResult.EXPIRED);
      }
    }
  }

  /** Ends the record, unless it has changed meanwhile, and grants the lock to the next waiter. */
  private boolean passOn(LockRecord held, LockQueue queue) {
    LockStep step = newStep();
    AtomicBoolean isPassedOn = new AtomicBoolean();
    records.computeIfPresent(
        held.key,
        (key, present) -> {
          isPassedOn.set(present == held);
          return present == held ? step.release(held, queue) : present;
        });
    if (isPassedOn.get()) {
      index.remove(held);
    }
    step.finish();
    return isPassedOn.get();
  }

  private ReleaseResult leave(LockReference waiter) {
    LockStep step = inQueue(waiter.key(), (s, present) -> s.leave(present, waiter.lockId()));
    return step.hasPlace() ? ReleaseResult.RELEASED : ReleaseResult.NOT_FOUND;
  }

  @Override
  public CompletionStage<List<PlaceState>> keepWaiting(
      LockOperation.KeepWaiting signOfLife, Call call) {
    begin(call.signal());
    waiters.noteAlive(clock.nowMs());
    return completedFuture(signOfLife.waiters().stream().map(this::place).toList());
  }

  private PlaceState place(LockReference waiter) {
    LockStep step = inQueue(waiter.key(), (s, present) -> s.keepWaiting(present, waiter.lockId()));
    return step.hasPlace() ? PlaceState.WAITING : PlaceState.GONE;
  }

  /** Takes a step on a key's record if that has a queue. */
  private LockStep inQueue(
      @Nullable ResourceKey key, BiFunction<LockStep, LockRecord, @Nullable LockRecord> change) {
    LockStep step = newStep();
    LockRecord seen = key == null ? null : records.get(key);
    if (seen != null && seen.queue != null) {
      records.computeIfPresent(seen.key, (k, present) -> change.apply(step, present));
      step.finish();
    }
    return step;
  }

  private LockStep newStep() {
    return new LockStep(index, fences, waiters, clock);
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
  public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
    return Optional.of(waiters.watch(waiter.lockId(), hints));
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
      if (held.queue != null) {
        inQueue(held.key, LockStep::settle);
      } else if (nowMs - held.expiresAtMs > Sweeper.KEEP_EXPIRED_MS) {
        remove(held);
      }
    }
    return !records.isEmpty();
  }

  @Override
  int size() {
    return records.size() + waiters.size();
  }

  @Override
  void clear() {
    records.clear();
    index.clear();
    waiters.clear();
  }
}
