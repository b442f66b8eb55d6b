package io.syncguard.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.Store;
import io.syncguard.testkit.lock.LockSuite;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Operations that have little time, on a store that does not answer. */
public final class TimedOperations implements AutoCloseable {

  /** Less than what the store itself allows, and far more than the operations have. */
  public static final Duration LIMIT = Duration.ofSeconds(4);

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final LockOptions LONG_WAIT = LockOptions.defaults().withMaxWait(HOUR);

  private final SyncGuard guard;
  private final LockHandle lock;
  private final LockHandle otherLock;
  private final Permit permit;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, CompletableFuture<?>> begun = new LinkedHashMap<>();

  /** Takes what is to be released later; the store must answer yet. */
  public TimedOperations(Store store) {
    guard =
        SyncGuard.over(
            store,
            GuardOptions.defaults().withKeepOnClose().withDisposeTimeout(Duration.ofMillis(300)));
    lock = guard.locks().lock("held");
    otherLock = guard.locks().lock("also held");
    permit = guard.semaphore("s", 1).acquire(HOUR);
  }

  /** Begins each operation in a new thread. */
  public void begin() {
    LockOptions options = LockOptions.defaults().withMaxWait(SHORT);
    endsByItself("lock", () -> guard.locks().lock("k", options));
    endsByItself(
        "asynchronous lock", () -> LockSuite.join(guard.locks().async().lock("k", options)));
    endsByItself("permit", () -> guard.semaphore("t", 1).acquire(SHORT));
    endsByItself(
        "asynchronous permit",
        () -> LockSuite.join(guard.semaphore("t", 1).async().acquire(SHORT)));
    endsByItself("rate", () -> guard.rateLimiter("r", 1, HOUR, 1).acquire(SHORT));
    endsByItself("release", lock::release);
    endsByItself("asynchronous release", () -> LockSuite.join(otherLock.releaseAsync()));
    endsByItself("release of a permit", permit::release);
    isCalledOff("cancelled wait", signal -> guard.locks().cancelledBy(signal).lock("k", LONG_WAIT));
    isCalledOff(
        "cancelled asynchronous wait",
        signal -> LockSuite.join(guard.locks().cancelledBy(signal).async().lock("k", LONG_WAIT)));
    isCalledOff(
        "cancelled attempt", signal -> guard.locks().cancelledBy(signal).tryLock("k", HOUR));
    isInterrupted("interrupted wait", () -> guard.locks().lock("k", LONG_WAIT));
    isInterrupted("interrupted attempt", () -> guard.locks().tryLock("k", HOUR));
  }

  private void endsByItself(String name, Runnable operation) {
    begun.put(name, CompletableFuture.runAsync(() -> assertFails(name, operation), threads));
  }

  private void isCalledOff(String name, Consumer<CancelSignal> operation) {
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<?> ended =
        CompletableFuture.runAsync(
            () -> assertAborted(name, () -> operation.accept(signal)), threads);
    begun.put(name, ended);
    CompletableFuture.delayedExecutor(SHORT.toMillis(), TimeUnit.MILLISECONDS)
        .execute(signal::cancel);
  }

  private void isInterrupted(String name, Runnable operation) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                assertAborted(name, operation);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                ended.complete(null);
              } catch (RuntimeException | Error e) {
                ended.completeExceptionally(e);
              }
            });
    thread.start();
    begun.put(name, ended);
    CompletableFuture.delayedExecutor(SHORT.toMillis(), TimeUnit.MILLISECONDS)
        .execute(thread::interrupt);
  }

  private static SyncGuardException assertFails(String name, Runnable operation) {
    try {
      operation.run();
    } catch (SyncGuardException e) {
      assertThat(e.isTransient() || e.code() == Code.ABORTED).as(name + ": " + e).isTrue();
      return e;
    }
    return fail(name + " did not fail");
  }

  private static void assertAborted(String name, Runnable operation) {
    assertThat(assertFails(name, operation).code()).as(name).isEqualTo(Code.ABORTED);
  }

  /** Blocks until all have ended, which must not take long. */
  public void assertEndInTime() throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    for (Map.Entry<String, CompletableFuture<?>> operation : begun.entrySet()) {
      try {
        operation.getValue().get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        fail(operation.getKey() + " has not ended after " + LIMIT);
      }
    }
  }

  public SyncGuard guard() {
    return guard;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    guard.close();
  }
}
