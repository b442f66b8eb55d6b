package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.limit.AsyncRateLimiter;
import io.syncguard.limit.RateDecision;
import io.syncguard.limit.RateLimiter;
import io.syncguard.testkit.internal.UserThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Waiting for permits. */
public interface RateWaitSuite extends LimitSuite {

  /** How long a test waits for what must come. */
  Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  default void anAcquisitionWaitsUntilItIsAllowed() {
    RateLimiter limiter = guard().rateLimiter(newName(), 20, Duration.ofSeconds(1), 2);
    for (int i = 0; i < 4; i++) {
      limiter.acquire(PATIENCE);
    }
    limiter.acquire(2, PATIENCE);
    assertThat(join(limiter.async().acquire(PATIENCE))).isEqualTo(new RateDecision.Allowed());
    join(limiter.async().acquire(2, PATIENCE));
  }

  @Test
  default void anAcquisitionThatCannotBeInTimeFailsAtOnce() {
    RateLimiter limiter = used(guard());
    assertFails(Code.ACQUISITION_TIMEOUT, () -> limiter.acquire(PATIENCE));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> limiter.acquire(Duration.ZERO));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(limiter.async().acquire(PATIENCE)));
    assertFails(Code.INVALID_ARGUMENT, () -> limiter.acquire(Duration.ofMillis(-1)));
    assertFails(Code.INVALID_ARGUMENT, () -> limiter.acquire(2, PATIENCE));
  }

  @Test
  default void cancellationEndsTheWait() throws Exception {
    CancelSignal signal = CancelSignal.create();
    RateLimiter limiter = used(guard()).cancelledBy(signal);
    FutureTask<Void> blocked = new FutureTask<>(() -> limiter.acquire(LONG.multipliedBy(2)), null);
    Thread waiter = started(blocked);
    CompletableFuture<RateDecision.Allowed> async =
        limiter.async().acquire(LONG.multipliedBy(2)).toCompletableFuture();
    untilWaiting(waiter);
    signal.cancel();
    assertFails(Code.ABORTED, failureOf(blocked));
    assertFails(Code.ABORTED, () -> join(async));
  }

  @Test
  default void anInterruptEndsTheWait() throws Exception {
    RateLimiter limiter = used(guard());
    FutureTask<Void> blocked = new FutureTask<>(() -> limiter.acquire(LONG.multipliedBy(2)), null);
    Thread waiter = started(blocked);
    untilWaiting(waiter);
    waiter.interrupt();
    assertFails(Code.ABORTED, failureOf(blocked));
  }

  @Test
  default void closingTheGuardEndsTheWait() throws Exception {
    FaultyClient closing = openFaulty();
    RateLimiter limiter = used(closing.guard());
    FutureTask<Void> blocked = new FutureTask<>(() -> limiter.acquire(LONG.multipliedBy(2)), null);
    Thread waiter = started(blocked);
    CompletableFuture<RateDecision.Allowed> async =
        limiter.async().acquire(LONG.multipliedBy(2)).toCompletableFuture();
    eventually(() -> assertThat(closing.faults().answers()).isEqualTo(3));
    untilWaiting(waiter);
    closing.guard().close();
    assertFails(Code.SERVICE_UNAVAILABLE, failureOf(blocked));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(async));
    assertFails(Code.SERVICE_UNAVAILABLE, limiter::tryAcquire);
  }

  /** Returns a limiter that allows the next one in an hour. */
  private RateLimiter used(SyncGuard guard) {
    RateLimiter limiter = guard.rateLimiter(newName(), 1, LONG, 1);
    limiter.tryAcquire();
    return limiter;
  }

  private static Thread started(Runnable task) {
    Thread thread = new Thread(task, "waits for a permit");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static ThrowingCallable failureOf(FutureTask<Void> task) {
    return () -> {
      try {
        task.get();
      } catch (ExecutionException e) {
        throw e.getCause();
      }
    };
  }

  @Test
  default void continuationsOfLimitersRunInTheUsersThreads() {
    try (UserThreads threads = new UserThreads(1)) {
      AsyncRateLimiter limiter =
          open(guardOptions().withExecutor(threads))
              .rateLimiter(newName(), 20, Duration.ofSeconds(1), 1)
              .async();
      threads.continues(() -> limiter.acquire(LONG));
      threads.continues(() -> limiter.acquire(LONG));
      threads.continues(limiter::tryAcquire);
    }
  }
}
