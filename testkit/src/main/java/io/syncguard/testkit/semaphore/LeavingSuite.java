package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A waiter that stops waiting leaves the queue at once. */
public interface LeavingSuite extends SemaphoreSuite {

  @Test
  default void aWaiterWhoseTimeIsOverLeavesTheQueue() {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 1);
    Permit held = take(semaphore);
    Duration brief = Duration.ofMillis(20);
    assertFails(Code.ACQUISITION_TIMEOUT, () -> semaphore.acquire(brief));
    assertThat(waiting(name)).isZero();
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(semaphore.async().acquire(brief)));
    assertThat(waiting(name)).isZero();
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  default void noTimeToWaitMeansASingleAttempt() {
    FairSemaphore semaphore = guard().semaphore(newName(), 1);
    Permit held = semaphore.acquire(Duration.ZERO);
    assertFails(Code.ACQUISITION_TIMEOUT, () -> semaphore.acquire(Duration.ZERO));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(semaphore.async().acquire(Duration.ZERO)));
    held.close();
    semaphore.acquire(Duration.ZERO).close();
  }

  @Test
  default void aCancelledWaiterLeavesTheQueue() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    CancelSignal signal = CancelSignal.create();
    FairSemaphore cancellable = guard().semaphore(name, 1).cancelledBy(signal);
    CompletableFuture<Permit> blocked =
        CompletableFuture.supplyAsync(() -> cancellable.acquire(PATIENCE));
    CompletableFuture<Permit> asynchronous =
        cancellable.async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 2);

    signal.cancel();

    assertFails(Code.ABORTED, () -> join(blocked));
    assertFails(Code.ABORTED, () -> join(asynchronous));
    untilWaiting(name, 0);
    assertFails(Code.ABORTED, cancellable::tryAcquire);
    assertFails(Code.ABORTED, () -> join(cancellable.async().tryAcquire()));
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  default void anInterruptedWaiterLeavesTheQueueAndStaysInterrupted() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    AtomicBoolean flag = new AtomicBoolean();
    CompletableFuture<Void> failed = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                guard().semaphore(name, 1).acquire(PATIENCE);
              } catch (RuntimeException e) {
                flag.set(Thread.currentThread().isInterrupted());
                failed.completeExceptionally(e);
              }
            });
    thread.start();
    untilWaiting(name, 1);

    thread.interrupt();

    assertFails(Code.ABORTED, () -> join(failed));
    assertThat(flag).isTrue();
    untilWaiting(name, 0);
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  default void aWaiterWhoseFutureIsCancelledLeavesTheQueue() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    CompletableFuture<Permit> waiter =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);
    waiter.cancel(false);
    untilWaiting(name, 0);
    held.close();
    eventually(() -> assertThat(acquired(name)).isZero());
  }

  @Test
  default void whenAGuardIsClosedItsWaitersFailAndLeaveTheQueue() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    SyncGuard closing = open(guardOptions());
    CompletableFuture<Permit> waiter =
        CompletableFuture.supplyAsync(() -> closing.semaphore(name, 1).acquire(PATIENCE));
    untilWaiting(name, 1);

    closing.close();

    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(waiter));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> closing.semaphore(name, 1).tryAcquire());
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  default void whoeverIsBehindSomebodyWhoLeftIsServed() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<Permit> leaving =
        guard()
            .semaphore(name, 1)
            .cancelledBy(signal)
            .async()
            .acquire(PATIENCE)
            .toCompletableFuture();
    untilWaiting(name, 1);
    CompletableFuture<Permit> staying =
        otherGuard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 2);
    signal.cancel();
    assertFails(Code.ABORTED, () -> join(leaving));
    held.close();
    join(staying).close();
  }
}
