package io.syncguard.redis.lock;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
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

  private final Connections connections;
  private final KeyLayout layout;
  private final ScriptRunner runner;
  private final boolean fencesSurviveDataLoss;
  private final @Nullable Cleanup cleanup;

  /**
   * Asks nothing yet.
   *
   * @param cleanupInIsLocked whether {@code isLocked} deletes what expired long ago
   */
  public RedisLocks(
      Connections connections,
      KeyLayout layout,
      ScriptRunner runner,
      boolean fencesSurviveDataLoss,
      boolean cleanupInIsLocked) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.fencesSurviveDataLoss = fencesSurviveDataLoss;
    this.cleanup = cleanupInIsLocked ? new Cleanup() : null;
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
  public boolean isPipelined() {
    return true;
  }

  @Override
  public Optional<Watch> watch(ResourceKey key, Runnable hint) {
    return connections.watch(layout.names(key).lockKey(), hint);
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
            fencesSurviveDataLoss ? List.of(head, ttl, life, "1") : List.of(head, ttl, life));
    BaseRedisAsyncCommands<String, String> commands =
        acquire.watched() ? connections.watching(names.lockKey()) : connections.commands();
    return runner.runOn(commands, script, RedisLocks::attempt, acquire.subject(), call);
  }

  private static AcquireAttempt attempt(@Nullable Object answer) {
    return answer instanceof Long remainingMs
        ? new AcquireAttempt.Held(Duration.ofMillis(remainingMs))
        : RecordText.granted(String.valueOf(answer));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    LockReference lock = release.lock();
    List<String> head =
        lock.key() == null ? List.of() : List.of(RecordText.head(lock.key(), lock.lockId()));
    return runner.run(
        new ScriptCall(RedisScript.RELEASE, keysOf(lock), head),
        RedisLocks::released,
        release.subject(),
        call);
  }

  private static ReleaseResult released(@Nullable Object answer) {
    long code = ScriptAnswer.number(answer);
    if (code == NOT_OWNED || code == NOT_FOUND) {
      return ReleaseResult.NOT_FOUND;
    }
    return code == EXPIRED ? ReleaseResult.EXPIRED : ReleaseResult.RELEASED;
  }

  @Override
  public CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockOperation.HandOver handOver, Call call) {
    LockReference lock = handOver.lock();
    LockOperation.Acquire next = handOver.next();
    if (lock.key() == null || fencesSurviveDataLoss) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    KeyLayout.Names names = layout.names(next.key());
    List<String> keys =
        List.of(
            names.lockKey(),
            names.indexKey(lock.lockId()),
            names.indexKey(next.lockId()),
            names.fenceKey());
    List<String> arguments =
        List.of(
            RecordText.head(next.key(), lock.lockId()),
            RecordText.head(next.key(), next.lockId()),
            ttl(next.ttl()),
            life(next.ttl()));
    return runner.run(
        new ScriptCall(RedisScript.HAND_OVER, keys, arguments),
        RedisLocks::handedOver,
        handOver.subject(),
        call);
  }

  private static Optional<AcquireAttempt.Granted> handedOver(@Nullable Object answer) {
    return answer == null
        ? Optional.empty()
        : Optional.of(RecordText.granted(String.valueOf(answer)));
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
    return cleanup == null
        ? locked
        : locked.whenComplete((yes, failure) -> cleanup.maybe(yes, names));
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

  /** Deletes what expired long ago, in the background and not too often. */
  private final class Cleanup {

    private static final long AT_MOST_EVERY_NANOS = 100_000_000;

    private final AtomicLong lastAt = new AtomicLong(System.nanoTime() - AT_MOST_EVERY_NANOS);

    void maybe(@Nullable Boolean locked, KeyLayout.Names names) {
      long now = System.nanoTime();
      long last = lastAt.get();
      if (Boolean.FALSE.equals(locked)
          && now - last >= AT_MOST_EVERY_NANOS
          && lastAt.compareAndSet(last, now)) {
        Connections.letEnd(
            runner.run(
                new ScriptCall(
                    RedisScript.CLEANUP, List.of(names.lockKey()), List.of(names.indexPrefix())),
                ScriptAnswer::number,
                Subject.NONE,
                Call.plain()));
      }
    }
  }
}
