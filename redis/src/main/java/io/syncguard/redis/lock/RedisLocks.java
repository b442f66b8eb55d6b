package io.syncguard.redis.lock;

import io.syncguard.Subject;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.RedisScan;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptAnswer;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The lock operations, each one script, each one round trip on a shared connection. */
public final class RedisLocks implements LockBackend {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("redis", true, TimeAuthority.SERVER);

  /** How much longer than its lock a record stays, so that a late holder is told of the expiry. */
  private static final long OUTLIVES_EXPIRY_MS = 5000;

  private static final long NOT_OWNED = 0;
  private static final long NOT_FOUND = -1;
  private static final long EXPIRED = -2;

  /** What is added to a release's answer when there are more dead waiters than it dropped. */
  private static final long MORE = 10;

  private static final long UNDECIDED = -1;

  private final Connections connections;
  private final KeyLayout layout;
  private final ScriptRunner runner;
  private final boolean cleanupInIsLocked;
  private final ProcessMark mark;
  private final LockWaiters waiters;
  private final SignsOfLife signsOfLife;
  private final Cleanup cleanup;

  /**
   * Asks nothing yet.
   *
   * @param mark tells how this store's waiters are granted locks
   * @param cleanupInIsLocked whether {@code isLocked} deletes what expired long ago
   */
  public RedisLocks(
      Connections connections,
      KeyLayout layout,
      ScriptRunner runner,
      ProcessMark mark,
      boolean cleanupInIsLocked) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.cleanupInIsLocked = cleanupInIsLocked;
    this.mark = mark;
    this.waiters = new LockWaiters(connections, mark.channel());
    this.signsOfLife = new SignsOfLife(layout, runner, mark, waiters);
    this.cleanup = new Cleanup(runner);
  }

  @Override
  public LockCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return layout.newLockId(key);
  }

  @Override
  public boolean hasQueue() {
    return true;
  }

  @Override
  public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
    String lockKey = layout.names(Objects.requireNonNull(waiter.key())).lockKey();
    return Optional.of(waiters.watch(waiter.lockId(), lockKey, hints));
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
    KeyLayout.Names names = layout.names(acquire.key());
    LockId lockId = acquire.lockId();
    String head = RecordText.head(acquire.key(), lockId);
    String ttl = ttl(acquire.ttl());
    String life = life(acquire.ttl());
    ScriptCall script =
        new ScriptCall(
            RedisScript.ACQUIRE,
            List.of(names.lockKey(), names.indexKey(lockId), names.fenceKey()),
            List.of(head, ttl, life, acquire.waits() ? mark.text() : mark.withoutWaiting()));
    return acquire(script, acquire, call);
  }

  /** Runs the script, and again while it finds more dead waiters than it drops at a time. */
  private CompletionStage<AcquireAttempt> acquire(
      ScriptCall script, LockOperation.Acquire acquire, Call call) {
    return runner
        .run(script, answer -> attempt(answer, acquire.lockId()), acquire.subject(), call)
        .thenCompose(
            attempt ->
                attempt.isPresent()
                    ? CompletableFuture.completedFuture(attempt.get())
                    : acquire(script, acquire, call));
  }

  private Optional<AcquireAttempt> attempt(@Nullable Object answer, LockId lockId) {
    if (answer instanceof Long remainingMs) {
      return remainingMs == UNDECIDED
          ? Optional.empty()
          : Optional.of(new AcquireAttempt.Held(Duration.ofMillis(remainingMs)));
    }
    if (answer instanceof List<?> place) {
      waiters.listen();
      if (place.size() > 2) {
        waiters.isFirstBehindForeign(lockId);
      }
      return Optional.of(
          new AcquireAttempt.Queued(
              ScriptAnswer.number(place.get(0)),
              Duration.ofMillis(ScriptAnswer.number(place.get(1)))));
    }
    return Optional.of(RecordText.granted(String.valueOf(answer)));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    LockReference lock = release.lock();
    List<String> arguments =
        lock.key() == null
            ? List.of(mark.text())
            : List.of(mark.text(), RecordText.head(lock.key(), lock.lockId()));
    return runner.run(
        new ScriptCall(RedisScript.RELEASE, keysOf(lock), arguments),
        answer -> released(answer, lock),
        release.subject(),
        call);
  }

  private ReleaseResult released(@Nullable Object answer, LockReference lock) {
    long code;
    if (answer instanceof List<?> granting) {
      code = ScriptAnswer.number(granting.get(0));
      waiters.told(String.valueOf(granting.get(1)));
    } else {
      code = ScriptAnswer.number(answer);
    }
    if (code >= EXPIRED + MORE) {
      code -= MORE;
      if (lock.key() != null) {
        cleanup.now(layout.names(lock.key()));
      }
    }
    if (code == NOT_OWNED || code == NOT_FOUND) {
      return ReleaseResult.NOT_FOUND;
    }
    return code == EXPIRED ? ReleaseResult.EXPIRED : ReleaseResult.RELEASED;
  }

  @Override
  public CompletionStage<List<PlaceState>> keepWaiting(
      LockOperation.KeepWaiting signOfLife, Call call) {
    waiters.listen();
    return signsOfLife.give(signOfLife, call);
  }

  @Override
  public CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call) {
    LockReference lock = extend.lock();
    String ttl = ttl(extend.ttl());
    String life = life(extend.ttl());
    List<String> arguments =
        lock.key() == null
            ? List.of(ttl, life)
            : List.of(ttl, life, RecordText.head(lock.key(), lock.lockId()));
    return runner.run(
        new ScriptCall(RedisScript.EXTEND, keysOf(lock), arguments),
        RedisLocks::extended,
        extend.subject(),
        call);
  }

  private static ExtendResult extended(@Nullable Object answer) {
    long code = ScriptAnswer.number(answer);
    if (code == NOT_OWNED || code == NOT_FOUND) {
      return NotExtended.NOT_FOUND;
    }
    return code == EXPIRED ? NotExtended.EXPIRED : new Extended(Instant.ofEpochMilli(code));
  }

  private static String ttl(Duration ttl) {
    return Long.toString(ttl.toMillis());
  }

  private static String life(Duration ttl) {
    return Long.toString(ttl.toMillis() + OUTLIVES_EXPIRY_MS);
  }

  private List<String> keysOf(LockReference lock) {
    if (lock.key() == null) {
      return List.of(layout.indexKey(lock.lockId()));
    }
    KeyLayout.Names names = layout.names(lock.key());
    return List.of(names.indexKey(lock.lockId()), names.lockKey());
  }

  @Override
  public CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call) {
    KeyLayout.Names names = layout.names(question.key());
    CompletionStage<Boolean> locked =
        runner.run(
            new ScriptCall(RedisScript.IS_LOCKED, names.lockKey()),
            answer -> ScriptAnswer.number(answer) == 1,
            question.subject(),
            call);
    return cleanupInIsLocked
        ? locked.whenComplete((yes, failure) -> cleanup.maybe(yes, names))
        : locked;
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call) {
    return runner.run(
        new ScriptCall(RedisScript.LOOKUP, layout.names(question.key()).lockKey()),
        RecordText::found,
        question.subject(),
        call);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call) {
    return runner.run(
        new ScriptCall(RedisScript.LOOKUP_BY_ID, layout.indexKey(question.lockId())),
        RecordText::found,
        question.subject(),
        call);
  }

  /** Returns at once a walk through the live locks. */
  public Scan<RawLockInfo> scan() {
    return new RedisScan<>(connections, runner.timeout(), layout.pattern(), this::lockIn);
  }

  private CompletionStage<Optional<RawLockInfo>> lockIn(String redisKey, Call call) {
    return layout.mayBeLock(redisKey)
        ? runner.run(
            new ScriptCall(RedisScript.LOOKUP, redisKey),
            answer -> RecordText.found(answer).filter(lock -> isIn(redisKey, lock)),
            Subject.NONE,
            call)
        : CompletableFuture.completedFuture(Optional.empty());
  }

  /** A key that begins with this store's prefix may be a lock of a longer prefix. */
  private boolean isIn(String redisKey, RawLockInfo lock) {
    return layout.names(ResourceKey.of(lock.key())).lockKey().equals(redisKey);
  }

  /** Blocks until no more waiters are told of anything, but not for long. */
  public void close() {
    waiters.close();
  }
}
