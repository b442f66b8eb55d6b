package io.syncguard.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Scan;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A walk through a server's keys, or those of all masters of a cluster, with SCAN. */
final class RedisScan<T> implements Scan<T> {

  private static final int SCANNED_AT_A_TIME = 500;

  private final Connections connections;
  private final ScanArgs matching;
  private final BiFunction<String, CancelSignal, CompletionStage<Optional<T>>> reading;
  private @Nullable ScanCursor cursor = ScanCursor.INITIAL;

  /**
   * Walks through the keys that match.
   *
   * @param reading what a key has; what fails for a single one is left out
   */
  RedisScan(
      Connections connections,
      String pattern,
      BiFunction<String, CancelSignal, CompletionStage<Optional<T>>> reading) {
    this.connections = connections;
    this.matching = ScanArgs.Builder.matches(pattern).limit(SCANNED_AT_A_TIME);
    this.reading = reading;
  }

  @Override
  public Optional<List<T>> next(CancelSignal signal) {
    signal.throwIfCancelled();
    ScanCursor from = cursor;
    if (from == null) {
      return Optional.empty();
    }
    KeyScanCursor<String> page = await(connections.keys().scan(from, matching));
    cursor = page.isFinished() ? null : page;
    return Optional.of(read(new LinkedHashSet<>(page.getKeys()), signal));
  }

  /** All are asked before the first answer is waited for. */
  private List<T> read(LinkedHashSet<String> keys, CancelSignal signal) {
    List<CompletionStage<Optional<T>>> answers = new ArrayList<>(keys.size());
    for (String key : keys) {
      answers.add(reading.apply(key, signal));
    }
    List<T> found = new ArrayList<>(keys.size());
    for (CompletionStage<Optional<T>> answer : answers) {
      foundIn(answer).ifPresent(found::add);
    }
    return found;
  }

  /** Among the keys that match may be other people's, and damaged ones. */
  private Optional<T> foundIn(CompletionStage<Optional<T>> answer) {
    try {
      return await(answer);
    } catch (SyncGuardException e) {
      if (e.code() == Code.INTERNAL || e.code() == Code.INVALID_ARGUMENT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static <A> A await(CompletionStage<A> stage) {
    CompletableFuture<A> answer = stage.toCompletableFuture();
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SyncGuardException(
          Code.ABORTED,
          "The thread was interrupted while Redis had not answered",
          SyncGuardException.Context.NONE,
          e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof SyncGuardException known
          ? known
          : RedisFailures.of(cause, SyncGuardException.Context.NONE);
    }
  }
}
