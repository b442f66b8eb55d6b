package io.syncguard.redis.connection;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.spi.Call;
import io.syncguard.spi.Scan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A walk with SCAN through the keys of a server, or of all masters of a cluster, one after the
 * other. Redis is asked at once what all keys of a page hold.
 */
public final class RedisScan<T> implements Scan<T> {

  private static final int SCANNED_AT_A_TIME = 500;

  /** Asks what a key holds. */
  public interface Reading<T> {

    /** Returns at once; empty if the key holds nothing of the kind. */
    CompletionStage<Optional<T>> in(String redisKey, Call call);
  }

  private final Connections connections;
  private final Duration timeout;
  private final ScanArgs matching;
  private final Reading<T> reading;
  private @Nullable ScanCursor cursor = ScanCursor.INITIAL;

  /** Asks nothing yet. */
  public RedisScan(Connections connections, Duration timeout, String pattern, Reading<T> reading) {
    this.connections = connections;
    this.timeout = timeout;
    this.matching = ScanArgs.Builder.matches(pattern).limit(SCANNED_AT_A_TIME);
    this.reading = reading;
  }

  @Override
  public Optional<List<T>> next(CancelSignal signal) {
    try {
      return nextAsync(Call.of(signal)).toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SyncGuardException(
          Code.ABORTED, "The thread was interrupted before Redis answered", Subject.NONE, e);
    } catch (ExecutionException e) {
      throw RedisFailures.of(e.getCause() == null ? e : e.getCause(), Subject.NONE);
    }
  }

  /** As {@link #next}, but returns at once; the next page may be asked for when this is there. */
  public CompletionStage<Optional<List<T>>> nextAsync(Call call) {
    ScanCursor from = cursor;
    if (from == null) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    try {
      call.signal().throwIfCancelled();
      return connections
          .keys()
          .scan(from, matching)
          .toCompletableFuture()
          .orTimeout(call.timeLeft(timeout).toNanos(), TimeUnit.NANOSECONDS)
          .thenCompose(page -> read(page, call))
          .exceptionally(
              failure -> {
                throw RedisFailures.of(failure, Subject.NONE);
              });
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(RedisFailures.of(e, Subject.NONE));
    }
  }

  private CompletionStage<Optional<List<T>>> read(KeyScanCursor<String> page, Call call) {
    List<CompletableFuture<Optional<T>>> answers =
        page.getKeys().stream().distinct().map(key -> read(key, call)).toList();
    return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            all -> {
              cursor = page.isFinished() ? null : page;
              return Optional.of(answers.stream().flatMap(found -> found.join().stream()).toList());
            });
  }

  private CompletableFuture<Optional<T>> read(String redisKey, Call call) {
    return CompletableFuture.completedFuture(redisKey)
        .thenCompose(key -> reading.in(key, call))
        .exceptionally(RedisScan::leftOut);
  }

  /** Keys that match may be another application's, or damaged. */
  private static <T> Optional<T> leftOut(Throwable thrown) {
    SyncGuardException failure = RedisFailures.of(thrown, Subject.NONE);
    boolean ofThisKey = failure.code() == Code.INTERNAL || failure.code() == Code.INVALID_ARGUMENT;
    if (ofThisKey && !failure.isOutcomeUnknown()) {
      return Optional.empty();
    }
    throw failure;
  }
}
