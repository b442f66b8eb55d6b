package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.Contended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.spi.Liveness;
import io.syncguard.testkit.history.History;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many want the same lock. */
public interface ContentionSuite extends LockSuite {

  /** Waits long, and asks again so rarely that only a notification can be what helps. */
  LockOptions ONLY_A_NOTIFICATION_HELPS =
      LockOptions.defaults()
          .withMaxWait(Duration.ofMinutes(1))
          .withRetry(
              RetryPolicy.defaults()
                  .withMaxRetries(1)
                  .withDelay(Duration.ofHours(1))
                  .withBackoff(Backoff.FIXED)
                  .withJitter(Jitter.NONE));

  /** Waits long and asks again often, for stores that are polled as well. */
  LockOptions PATIENT =
      LockOptions.defaults()
          .withTtl(LONG)
          .withMaxWait(Duration.ofMinutes(1))
          .withRetry(
              RetryPolicy.defaults()
                  .withMaxRetries(100_000)
                  .withDelay(Duration.ofMillis(20))
                  .withBackoff(Backoff.FIXED)
                  .withJitter(Jitter.EQUAL));

  /** Returns how often each of the workers that contend takes its turn; a slow store does fewer. */
  default int turnsOfAWorker() {
    return 50;
  }

  /** Returns how many wait in the test with a long line; a slow store may do with fewer. */
  default int manyWaiters() {
    return 1000;
  }

  @Test
  default void ofManyThreadsOneWins() {
    String key = newKey();
    List<AcquireResult> results =
        inParallel(32, i -> (i % 2 == 0 ? locks() : otherLocks()).tryLock(key, LONG));
    assertThat(results).filteredOn(AcquireResult::isAcquired).hasSize(1);
    results.forEach(AcquireResult::close);
  }

  @Test
  default void contentionTellsHowLongTheHolderHas() {
    String key = newKey();
    Duration ttl = Duration.ofMinutes(1);
    try (LockHandle holder = take(locks(), key, ttl)) {
      Contended contended = (Contended) otherLocks().tryLock(key, LONG);
      assertThat(contended.remaining())
          .isPositive()
          .isLessThanOrEqualTo(ttl.plusMillis(Liveness.TOLERANCE_MS));
      assertThat(holder.isHeld()).isTrue();
    }
  }

  @Test
  default void differentKeysDoNotContend() {
    try (LockHandle one = take(locks(), newKey(), LONG);
        LockHandle two = take(otherLocks(), newKey(), LONG)) {
      assertThat(one.isHeld() && two.isHeld()).isTrue();
    }
  }

  @Test
  default void nobodyHoldsALockThatAnotherHolds() {
    String key = newKey();
    History history = new History();
    int workers = 8;
    int rounds = turnsOfAWorker();
    inParallel(
        workers,
        worker -> {
          Locks mine = worker % 2 == 0 ? locks() : otherLocks();
          for (int round = 0; round < rounds; round++) {
            mine.run(
                key, PATIENT, lock -> history.begin("worker " + worker, key, lock.fence()).end());
          }
          return worker;
        });
    history.check();
    assertThat(history.size()).isEqualTo(workers * rounds);
  }

  @Test
  default void manyAsynchronousWaitersGetTheLockOneAtATime() {
    String key = newKey();
    History history = new History();
    List<CompletableFuture<Void>> waiters =
        IntStream.range(0, manyWaiters())
            .mapToObj(
                i ->
                    (i % 2 == 0 ? locks() : otherLocks())
                        .async()
                        .<Void>call(
                            key,
                            PATIENT,
                            lock -> {
                              history.begin("waiter " + i, key, lock.fence()).end();
                              return CompletableFuture.completedFuture(null);
                            })
                        .toCompletableFuture())
            .toList();
    waiters.forEach(LockSuite::join);
    history.check();
    assertThat(history.size()).isEqualTo(manyWaiters());
  }

  @Test
  default void aWaiterIsToldWhenAnotherClientReleases() throws Exception {
    assumeTrue(fixture().notifies(), "this store is polled");
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    FutureTask<LockHandle> waiter =
        new FutureTask<>(() -> locks().lock(key, ONLY_A_NOTIFICATION_HELPS));
    Thread thread = new Thread(waiter);
    thread.start();
    untilWaiting(thread);

    holder.close();

    waiter.get().close();
  }

  @Test
  default void anAsynchronousWaiterIsToldWhenAnotherClientReleases() {
    assumeTrue(fixture().notifies(), "this store is polled");
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    CompletableFuture<LockHandle> waiter =
        locks().async().lock(key, ONLY_A_NOTIFICATION_HELPS).toCompletableFuture();

    holder.close();

    join(waiter).close();
  }

  @Test
  default void aWaiterIsToldWhenItsOwnProcessReleases() throws Exception {
    String key = newKey();
    LockHandle holder = take(locks(), key, LONG);
    FutureTask<LockHandle> waiter =
        new FutureTask<>(() -> locks().lock(key, ONLY_A_NOTIFICATION_HELPS));
    Thread thread = new Thread(waiter);
    thread.start();
    untilWaiting(thread);

    holder.close();

    waiter.get().close();
  }

  /** Runs the same in several threads at once and returns all results. */
  static <T> List<T> inParallel(int threads, IntFunction<T> action) {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(threads);
      List<CompletableFuture<T>> running =
          IntStream.range(0, threads)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            start.countDown();
                            try {
                              start.await();
                            } catch (InterruptedException e) {
                              throw new IllegalStateException(e);
                            }
                            return action.apply(i);
                          },
                          executor))
              .toList();
      return running.stream().map(LockSuite::join).toList();
    } finally {
      executor.shutdownNow();
    }
  }
}
