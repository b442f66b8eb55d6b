package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.StorageKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Locks in two tables. Each operation is one script, and what it answers is the outcome. */
final class SqlLocks implements LockBackend {

  /** The longest name of a record, in bytes; the same for clients in every language. */
  private static final int LONGEST_NAME = 1700;

  private static final StorageKeys NAMES = new StorageKeys("", LONGEST_NAME, 0);

  private final LockCapabilities capabilities;
  private final ScriptRunner runner;
  private final LockScripts scripts;
  private final Waiting waiting;
  private final AsyncLockBackend async;

  SqlLocks(
      LockCapabilities capabilities,
      ScriptRunner runner,
      LockScripts scripts,
      Waiting waiting,
      Workers workers) {
    this.capabilities = capabilities;
    this.runner = runner;
    this.scripts = scripts;
    this.waiting = waiting;
    this.async = AsyncLockBackend.of(this, workers, workers.patience());
  }

  @Override
  public LockCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public AsyncLockBackend async() {
    return async;
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    String key = request.key().value();
    String lockId = request.lockId().value();
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("key", NAMES.of(key));
    parameters.put("fence_key", NAMES.fenceOf(key));
    parameters.put("user_key", key);
    parameters.put("lock_id", lockId);
    parameters.put("ttl_ms", request.ttl().toMillis());
    parameters.put("channel", request.watched() ? waiting.channel() : Waiting.NO_CHANNEL);
    Call call = Call.of(key, lockId, signal).within(request.timeout());
    return call.answered(
        runner.run(
            ScriptRunner.Effect.WRITE,
            scripts.acquire(),
            parameters,
            call,
            row -> LockRows.attempt(row, lockId, call)));
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    ReleaseResult result =
        runner.run(
            ScriptRunner.Effect.RELAXED_WRITE,
            scripts.release(),
            Map.of("lock_id", lock.lockId().value(), "key", nameIfKnown(lock)),
            Call.ofRelease(lock.context(), timeout),
            row ->
                Liveness.isLive(row.getLong("expires_at_ms"), row.getLong("now_ms"))
                    ? ReleaseResult.RELEASED
                    : ReleaseResult.EXPIRED);
    return result == null ? ReleaseResult.NOT_FOUND : result;
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    ExtendResult result =
        runner.run(
            ScriptRunner.Effect.WRITE,
            scripts.extend(),
            Map.of("lock_id", lock.lockId().value(), "ttl_ms", ttl.toMillis()),
            call(lock, signal),
            LockRows::extension);
    return result == null ? NotExtended.NOT_FOUND : result;
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return lookup(key, signal).isPresent();
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    return find(
        scripts.findByKey(),
        Map.of("key", NAMES.of(key.value())),
        Call.of(key.value(), null, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    return find(
        scripts.findById(),
        Map.of("lock_id", lockId.value()),
        Call.of(null, lockId.value(), signal));
  }

  @Override
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    return waiting.watch(NAMES.of(key.value()), hint);
  }

  Scan<RawLockInfo> scan() {
    return new KeysetScan<>(
        (after, signal) -> {
          Call call = Call.of(null, null, signal);
          return runner.run(
              ScriptRunner.Effect.READ,
              scripts.list(),
              Map.of("after", after, "batch", KeysetScan.ROWS_AT_A_TIME),
              call,
              rows -> LockRows.page(rows, call));
        });
  }

  private Optional<RawLockInfo> find(Script script, Map<String, Object> parameters, Call call) {
    Optional<RawLockInfo> found =
        runner.run(
            ScriptRunner.Effect.READ,
            script,
            parameters,
            call,
            row -> LockRows.liveLock(row, call));
    return found == null ? Optional.empty() : found;
  }

  private static Call call(LockReference lock, CancelSignal signal) {
    @Nullable ResourceKey key = lock.key();
    return Call.of(key == null ? null : key.value(), lock.lockId().value(), signal);
  }

  private static String nameIfKnown(LockReference lock) {
    @Nullable ResourceKey key = lock.key();
    return key == null ? "" : NAMES.of(key.value());
  }
}
