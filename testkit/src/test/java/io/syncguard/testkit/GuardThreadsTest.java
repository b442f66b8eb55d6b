package io.syncguard.testkit;

import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.limit.RateLimiter;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tasks, listeners and continuations of a guard may rely on, whatever else they do. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuardThreadsTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int MORE_LISTENERS_THAN_THREADS = 100;

  @Test
  void aTaskThatComesToRunAfterItsLockWasLostDoesNotRun() throws Exception {
    List<Runnable> queued = new ArrayList<>();
    MovableTime time = MovableTime.frozen();
    GuardOptions options = GuardOptions.defaults().withTimeSource(time).withExecutor(queued::add);
    AtomicBoolean ran = new AtomicBoolean();
    try (SyncGuard guard = SyncGuard.open("memory:", options)) {
      CompletableFuture<String> called =
          guard
              .locks()
              .async()
              .call(
                  "k",
                  LockOptions.defaults().withTtl(SHORT).withFixedLease(),
                  lock -> {
                    ran.set(true);
                    return CompletableFuture.completedFuture("done");
                  })
              .toCompletableFuture();
      time.advance(SHORT.multipliedBy(2));
      List.copyOf(queued).forEach(Runnable::run);
      assertFails(Code.LOCK_LOST, () -> join(called));
    }
    assertThat(ran).isFalse();
  }

  @Test
  void aLossInterruptsItsTaskAlsoWhenAllListenersBlock() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (SyncGuard guard = SyncGuard.open("memory:")) {
      for (int i = 0; i < MORE_LISTENERS_THAN_THREADS; i++) {
        take(guard.locks(), "blocking " + i, SHORT).onLost(() -> awaitQuietly(end));
      }
      LockOptions interrupting =
          LockOptions.defaults()
              .withTtl(SHORT.multipliedBy(3))
              .withFixedLease()
              .withInterruptOnLoss();
      assertFails(
          Code.LOCK_LOST,
          () ->
              guard
                  .locks()
                  .run(
                      "k",
                      interrupting,
                      lock -> {
                        try {
                          TimeUnit.HOURS.sleep(1);
                        } catch (InterruptedException e) {
                          // As it should.
                        }
                      }));
    } finally {
      end.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aTaskMayAskALimiterWhileItsGuardIsClosedButNotWaitForIt() throws Exception {
    SyncGuard guard = SyncGuard.open("memory:", GuardOptions.defaults().withCloseTimeout(LONG));
    RateLimiter limiter = guard.rateLimiter("api", 1, LONG, 1);
    LockHandle held = take(guard.locks(), "k", LONG);
    Thread closer = new Thread(guard::close);
    closer.start();
    untilWaiting(closer);
    assertThat(limiter.tryAcquire().isAllowed()).isTrue();
    assertThat(guard.counters().increment("first used now", 1, LONG).isCounted()).isTrue();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.semaphore("as well", 1).tryAcquire());
    assertFails(Code.SERVICE_UNAVAILABLE, () -> limiter.acquire(LONG));
    assertFails(
        Code.SERVICE_UNAVAILABLE, () -> join(limiter.async().acquire(LONG).toCompletableFuture()));
    held.close();
    closer.join();
    assertFails(Code.SERVICE_UNAVAILABLE, limiter::tryAcquire);
  }

  @Test
  void noLockIdIsRefusedBeforeTheStoreIsAsked() {
    try (SyncGuard guard = SyncGuard.open("memory:")) {
      assertFails(Code.INVALID_ARGUMENT, () -> guard.locks().release(null));
      assertFails(Code.INVALID_ARGUMENT, () -> guard.locks().extend(null, LONG));
      assertFails(Code.INVALID_ARGUMENT, () -> guard.locks().owns(null));
      assertFails(Code.INVALID_ARGUMENT, () -> join(guard.locks().async().release(null)));
      assertFails(Code.INVALID_ARGUMENT, () -> join(guard.locks().async().extend(null, LONG)));
      assertFails(Code.INVALID_ARGUMENT, () -> join(guard.locks().async().getById(null)));
    }
  }

  @Test
  void anAsynchronousViewWithoutAKeyFailsItsStage() {
    try (SyncGuard guard = SyncGuard.open("memory:")) {
      assertThat(guard.secrets().async().view(SecretId.random(), (SealingKey) null))
          .isCompletedExceptionally();
    }
  }
}
