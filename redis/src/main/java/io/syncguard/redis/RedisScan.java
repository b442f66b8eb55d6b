package io.syncguard.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.SyncGuardException.Context;
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
 * other. What the keys of a page hold is asked for all at once.
 */
final class RedisScan<T> implements Scan<T> {

  private static final int SCANNED_AT_A_TIME = 500;

  /** Asks what a key holds. */
  interface Reading<T> {

    CompletionStage<Optional<T>> in(String redisKey, CancelSignal signal);
  }

  private final Connections connections;
  private final Duration timeout;
  private final ScanArgs matching;
  private final Reading<T> reading;
  private @Nullable ScanCursor cursor = ScanCursor.INITIAL;

  RedisScan(Connections connections, Duration timeout, String pattern, Reading<T> reading) {
    this.connections = connections;
    this.timeout = timeout;
    this.matching = ScanArgs.Builder.matches(pattern).limit(SCANNED_AT_A_TIME);
    this.reading = reading;
  }

  @Override
  public Optional<List<T>> next(CancelSignal signal) {
    try {
      return nextAsync(signal).toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SyncGuardException(
          Code.ABORTED, "The thread was interrupted before Redis answered", Context.NONE, e);
    } catch (ExecutionException e) {
      throw RedisFailures.of(e.getCause() == null ? e : e.getCause(), Context.NONE);
    }
  }

  /** As {@link #next}, at once; the next one may be asked for when it is there. */
  CompletionStage<Optional<List<T>>> nextAsync(CancelSignal signal) {
    ScanCursor from = cursor;
    if (from == null) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    try {
      signal.throwIfCancelled();
      return connections
          .keys()
          .scan(from, matching)
          .toCompletableFuture()
          .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
          .thenCompose(page -> read(page, signal))
          .exceptionally(
              failure -> {
                throw RedisFailures.of(failure, Context.NONE);
              });
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(RedisFailures.of(e, Context.NONE));
    }
  }

  private CompletionStage<Optional<List<T>>> read(KeyScanCursor<String> page, CancelSignal signal) {
    List<CompletableFuture<Optional<T>>> answers =
        page.getKeys().stream().distinct().map(key -> read(key, signal)).toList();
    return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            all -> {
              cursor = page.isFinished() ? null : page;
              return Optional.of(answers.stream().flatMap(found -> found.join().stream()).toList());
            });
  }

  private CompletableFuture<Optional<T>> read(String key, CancelSignal signal) {
    return reading.in(key, signal).exceptionally(RedisScan::leftOut).toCompletableFuture();
  }

  /** Among the keys that match may be other people's, and damaged ones. */
  private static <T> Optional<T> leftOut(Throwable thrown) {
    SyncGuardException failure = RedisFailures.of(thrown, Context.NONE);
    boolean ofThisKey = failure.code() == Code.INTERNAL || failure.code() == Code.INVALID_ARGUMENT;
    if (ofThisKey && !failure.isOutcomeUnknown()) {
      return Optional.empty();
    }
    throw failure;
  }
}
