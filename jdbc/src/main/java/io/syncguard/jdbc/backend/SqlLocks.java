package io.syncguard.jdbc.backend;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.Subject;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.StorageKeys;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Locks in tables. Each operation is one script, and what it answers is the outcome. */
public final class SqlLocks implements LockBackend {

  /** The longest name of a record, in bytes; the same for clients in every language. */
  private static final int LONGEST_NAME = 1700;

  private static final StorageKeys NAMES = new StorageKeys("", LONGEST_NAME, 0);

  private final LockCapabilities capabilities;
  private final ScriptRunner runner;
  private final LockScripts scripts;
  private final Waiting waiting;

  /** What the database knows the waiters of this store by. */
  private final String process = LockId.random().value();

  public SqlLocks(
      LockCapabilities capabilities, ScriptRunner runner, LockScripts scripts, Waiting waiting) {
    this.capabilities = capabilities;
    this.runner = runner;
    this.scripts = scripts;
    this.waiting = waiting;
  }

  @Override
  public LockCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
    String key = acquire.key().value();
    String lockId = acquire.lockId().value();
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("key", NAMES.of(key));
    parameters.put("fence_key", NAMES.fenceOf(key));
    parameters.put("user_key", key);
    parameters.put("lock_id", lockId);
    parameters.put("ttl_ms", acquire.ttl().toMillis());
    parameters.put("waits", acquire.waits() ? 1 : 0);
    parameters.put("process", process);
    parameters.put("channel", waiting.channel());
    SqlCall sqlCall = SqlCall.of(acquire.subject(), call);
    AcquireAttempt attempt =
        sqlCall.answered(
            runner.run(
                scripts.acquire(),
                parameters,
                sqlCall,
                row -> LockRows.attempt(row, lockId, sqlCall)));
    if (attempt instanceof AcquireAttempt.Queued) {
      waiting.listen();
    }
    return completedFuture(attempt);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    LockReference lock = release.lock();
    LockRows.Released released =
        runner.run(
            scripts.release(),
            Map.of("lock_id", lock.lockId().value(), "key", nameIfKnown(lock), "process", process),
            SqlCall.of(release.subject(), call),
            LockRows::released);
    if (released == null) {
      return completedFuture(ReleaseResult.NOT_FOUND);
    }
    released.grant().ifPresent(grant -> waiting.granted(grant.lockId(), grant.granted()));
    return completedFuture(released.result());
  }

  @Override
  public boolean hasQueue() {
    return scripts.keepWaiting().isPresent();
  }

  @Override
  public CompletionStage<List<PlaceState>> keepWaiting(
      LockOperation.KeepWaiting signOfLife, Call call) {
    SqlCall sqlCall = SqlCall.of(signOfLife.subject(), call);
    String ids =
        signOfLife.waiters().stream()
            .map(waiter -> waiter.lockId().value())
            .collect(JsonArrays.ofIds());
    return completedFuture(
        sqlCall.answered(
            runner.run(
                scripts.keepWaiting().orElseThrow(),
                Map.of("ids", ids, "process", process, "channel", waiting.channel()),
                sqlCall,
                LockRows::places)));
  }

  private static String nameIfKnown(LockReference lock) {
    @Nullable ResourceKey key = lock.key();
    return key == null ? "" : NAMES.of(key.value());
  }

  @Override
  public CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call) {
    ExtendResult result =
        runner.run(
            scripts.extend(),
            Map.of("lock_id", extend.lock().lockId().value(), "ttl_ms", extend.ttl().toMillis()),
            SqlCall.of(extend.subject(), call),
            LockRows::extension);
    return completedFuture(result == null ? NotExtended.NOT_FOUND : result);
  }

  @Override
  public CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call) {
    return completedFuture(
        findByKey(question.key(), SqlCall.of(question.subject(), call)).isPresent());
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call) {
    return completedFuture(findByKey(question.key(), SqlCall.of(question.subject(), call)));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call) {
    return completedFuture(
        find(
            scripts.findById(),
            Map.of("lock_id", question.lockId().value()),
            SqlCall.of(question.subject(), call)));
  }

  private Optional<RawLockInfo> findByKey(ResourceKey key, SqlCall call) {
    return find(scripts.findByKey(), Map.of("key", NAMES.of(key.value())), call);
  }

  private Optional<RawLockInfo> find(
      SqlScript script, Map<String, Object> parameters, SqlCall call) {
    Optional<RawLockInfo> found =
        runner.run(script, parameters, call, row -> LockRows.liveLock(row, call));
    return found == null ? Optional.empty() : found;
  }

  @Override
  public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
    return waiting.watch(hasQueue() ? waiter.lockId().value() : nameIfKnown(waiter), hints);
  }

  public Scan<RawLockInfo> scan() {
    return new KeysetScan<>(
        (after, call) -> {
          SqlCall sqlCall = SqlCall.of(Subject.NONE, call);
          return runner.run(
              scripts.list(),
              Map.of("after", after, "batch", KeysetScan.ROWS_AT_A_TIME),
              sqlCall,
              rows -> LockRows.page(rows, sqlCall));
        });
  }
}
