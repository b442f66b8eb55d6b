package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.CycleThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Chains of asynchronous cycles, each with its own keys: whenever one cycle is done, the next of
 * its chain begins, so that there are always as many under way as there are chains.
 */
final class AsyncCycles {

  private final AsyncContestant contestant;
  private final long endsAt;
  private final LongAdder done = new LongAdder();

  private AsyncCycles(AsyncContestant contestant, long endsAt) {
    this.contestant = contestant;
    this.endsAt = endsAt;
  }

  /** Blocks until all chains have ended. */
  static CycleThreads.Work run(AsyncContestant contestant, int chains, Duration slice)
      throws InterruptedException, ExecutionException, TimeoutException {
    long startedAt = System.nanoTime();
    AsyncCycles cycles = new AsyncCycles(contestant, startedAt + slice.toNanos());
    CompletableFuture<?>[] ends =
        IntStream.range(0, chains)
            .mapToObj(
                chain -> {
                  CompletableFuture<Void> end = new CompletableFuture<>();
                  cycles.next(CycleThreads.keys(chain), 0, end);
                  return end;
                })
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ends).get(1, TimeUnit.MINUTES);
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    long count = cycles.done.sum();
    return new CycleThreads.Work(count, count / seconds);
  }

  private void next(List<String> keys, int turn, CompletableFuture<Void> end) {
    contestant
        .cycleAsync(keys.get(turn & (CycleThreads.KEYS - 1)))
        .whenComplete(
            (value, failure) -> {
              if (failure != null) {
                end.completeExceptionally(failure);
                return;
              }
              done.increment();
              if (System.nanoTime() - endsAt >= 0) {
                end.complete(null);
              } else {
                next(keys, turn + 1, end);
              }
            });
  }
}
