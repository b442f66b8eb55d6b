package io.syncguard.redis;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lock operations, each one script, each one round trip on a shared connection. */
final class AsyncRedisLocks implements AsyncLockBackend {

  /**
   * How much longer than its lock a record stays, so that a late holder is told that it had
   * expired.
   */
  private static final long OUTLIVES_EXPIRY_MS = 5000;

  private static final long NOT_OWNED = 0;
  private static final long NOT_FOUND = -1;
  private static final long EXPIRED = -2;

  private final Connections connections;
  private final KeyLayout layout;
  private final ScriptRunner runner;
  private final boolean fencesSurviveDataLoss;
  private final @Nullable Cleanup cleanup;

  AsyncRedisLocks(
      Connections connections, KeyLayout layout, RedisOptions options, ScriptRunner runner) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.fencesSurviveDataLoss = options.fences() == RedisOptions.Fences.SURVIVE_DATA_LOSS;
    this.cleanup = options.cleanupInIsLocked() ? new Cleanup() : null;
  }

  @Override
  public boolean isPipelined() {
    return true;
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
    return staged(
        () -> {
          KeyLayout.Names names = layout.names(request.key());
          LockId lockId = request.lockId();
          long ttlMs = request.ttl().toMillis();
          String head = RecordText.head(request.key(), lockId);
          String ttl = Long.toString(ttlMs);
          String life = Long.toString(ttlMs + OUTLIVES_EXPIRY_MS);
          ScriptRunner.Call call =
              new ScriptRunner.Call(
                  Script.ACQUIRE,
                  List.of(names.lockKey(), names.indexKey(lockId), names.fenceKey()),
                  fencesSurviveDataLoss ? List.of(head, ttl, life, "1") : List.of(head, ttl, life));
          BaseRedisAsyncCommands<String, String> commands =
              request.watched() ? connections.watching(names.lockKey()) : connections.commands();
          return runner.runWithin(
              request.timeout(),
              commands,
              call,
              AsyncRedisLocks::attempt,
              new SyncGuardException.Context(request.key().value(), lockId.value()),
              signal);
        });
  }

  private static AcquireAttempt attempt(@Nullable Object answer) {
    return answer instanceof Long remainingMs
        ? new AcquireAttempt.Held(Duration.ofMillis(remainingMs))
        : RecordText.granted(String.valueOf(answer));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout) {
    return staged(
        () ->
            runner.runWithin(
                timeout,
                connections.commands(),
                new ScriptRunner.Call(Script.RELEASE, keysOf(lock), headOf(lock)),
                AsyncRedisLocks::released,
                lock.context(),
                CancelSignal.never()));
  }

  private static ReleaseResult released(@Nullable Object answer) {
    long code = code(answer);
    if (code == NOT_OWNED || code == NOT_FOUND) {
      return ReleaseResult.NOT_FOUND;
    }
    return code == EXPIRED ? ReleaseResult.EXPIRED : ReleaseResult.RELEASED;
  }

  @Override
  public CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockReference lock, AcquireRequest next, Duration timeout) {
    if (lock.key() == null || fencesSurviveDataLoss) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return staged(
        () -> {
          KeyLayout.Names names = layout.names(next.key());
          List<String> keys =
              List.of(
                  names.lockKey(),
                  names.indexKey(lock.lockId()),
                  names.indexKey(next.lockId()),
                  names.fenceKey());
          long ttlMs = next.ttl().toMillis();
          List<String> arguments =
              List.of(
                  RecordText.head(next.key(), lock.lockId()),
                  RecordText.head(next.key(), next.lockId()),
                  Long.toString(ttlMs),
                  Long.toString(ttlMs + OUTLIVES_EXPIRY_MS));
          return runner.runWithin(
              timeout,
              connections.commands(),
              new ScriptRunner.Call(Script.HAND_OVER, keys, arguments),
              AsyncRedisLocks::handedOver,
              lock.context(),
              CancelSignal.never());
        });
  }

  private static Optional<AcquireAttempt.Granted> handedOver(@Nullable Object answer) {
    return answer == null
        ? Optional.empty()
        : Optional.of(RecordText.granted(String.valueOf(answer)));
  }

  @Override
  public CompletionStage<ExtendResult> extend(
      LockReference lock, Duration ttl, CancelSignal signal) {
    return staged(
        () -> {
          String life = Long.toString(ttl.toMillis() + OUTLIVES_EXPIRY_MS);
          String newTtl = Long.toString(ttl.toMillis());
          List<String> arguments =
              lock.key() == null
                  ? List.of(newTtl, life)
                  : List.of(newTtl, life, RecordText.head(lock.key(), lock.lockId()));
          return runner.run(
              connections.commands(),
              new ScriptRunner.Call(Script.EXTEND, keysOf(lock), arguments),
              AsyncRedisLocks::extended,
              lock.context(),
              signal);
        });
  }

  private static ExtendResult extended(@Nullable Object answer) {
    long code = code(answer);
    if (code == NOT_OWNED || code == NOT_FOUND) {
      return NotExtended.NOT_FOUND;
    }
    return code == EXPIRED ? NotExtended.EXPIRED : new Extended(Instant.ofEpochMilli(code));
  }

  @Override
  public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
    return staged(
        () -> {
          KeyLayout.Names names = layout.names(key);
          CompletionStage<Boolean> locked =
              ask(Script.IS_LOCKED, names.lockKey(), answer -> code(answer) == 1, key, signal);
          return cleanup == null
              ? locked
              : locked.whenComplete((yes, failure) -> cleanup.maybe(yes, names));
        });
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
    return staged(
        () -> ask(Script.LOOKUP, layout.names(key).lockKey(), RecordText::found, key, signal));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
    return staged(
        () ->
            runner.run(
                connections.commands(),
                new ScriptRunner.Call(
                    Script.LOOKUP_BY_ID, List.of(layout.indexKey(lockId)), List.of()),
                RecordText::found,
                new SyncGuardException.Context(null, lockId.value()),
                signal));
  }

  private <T> CompletionStage<T> ask(
      Script script,
      String lockKey,
      Function<@Nullable Object, T> reading,
      ResourceKey key,
      CancelSignal signal) {
    return runner.run(
        connections.commands(),
        new ScriptRunner.Call(script, List.of(lockKey), List.of()),
        reading,
        new SyncGuardException.Context(key.value(), null),
        signal);
  }

  private List<String> keysOf(LockReference lock) {
    if (lock.key() == null) {
      return List.of(layout.indexKey(lock.lockId()));
    }
    KeyLayout.Names names = layout.names(lock.key());
    return List.of(names.indexKey(lock.lockId()), names.lockKey());
  }

  private static List<String> headOf(LockReference lock) {
    return lock.key() == null ? List.of() : List.of(RecordText.head(lock.key(), lock.lockId()));
  }

  private static long code(@Nullable Object answer) {
    if (answer instanceof Long code) {
      return code;
    }
    throw new IllegalStateException("A script answered something else than an integer");
  }

  private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> operation) {
    try {
      return operation.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Deletes what expired long ago, in the background and not too often. */
  private final class Cleanup {

    private static final long AT_MOST_EVERY_NANOS = 100_000_000;

    private final java.util.concurrent.atomic.AtomicLong lastAt =
        new java.util.concurrent.atomic.AtomicLong(System.nanoTime() - AT_MOST_EVERY_NANOS);

    void maybe(@Nullable Boolean locked, KeyLayout.Names names) {
      long now = System.nanoTime();
      long last = lastAt.get();
      if (Boolean.FALSE.equals(locked)
          && now - last >= AT_MOST_EVERY_NANOS
          && lastAt.compareAndSet(last, now)) {
        runner.run(
            connections.commands(),
            new ScriptRunner.Call(
                Script.CLEANUP, List.of(names.lockKey()), List.of(names.indexPrefix())),
            AsyncRedisLocks::code,
            SyncGuardException.Context.NONE,
            CancelSignal.never());
      }
    }
  }
}
