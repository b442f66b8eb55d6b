package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static io.syncguard.testkit.lock.QueuedLockSuite.begin;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A waiter that stops waiting leaves the queue at once, and nothing is left of a queue. */
public interface LockLeavingSuite extends QueuedLockSuite {

  @Test
  default void aPlaceIsGivenUpByARelease() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference holder = steps.take(key);
    LockReference leaving = steps.join(key);
    LockReference staying = steps.join(key);
    assertThat(steps.release(leaving)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(steps.release(leaving)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(steps.holderOf(key)).isEqualTo(holder.lockId());
    steps.leave(holder);
    assertThat(steps.holderOf(key)).isEqualTo(staying.lockId());
    steps.leave(staying);
    assertNothingIsLeft(steps, key);
  }

  @Test
  default void aWaiterWhoseTimeIsOverLeavesTheQueueOfALock() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockHandle held = take(otherLocks(), key, LONG);
    LockOptions brief = WAITING.withMaxWait(Duration.ofMillis(50));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> locks().lock(key, brief));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(locks().async().lock(key, brief)));
    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft(steps, key);
  }

  @Test
  default void aCancelledWaiterLeavesTheQueueOfALock() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    CancelSignal signal = CancelSignal.create();
    Locks cancellable = open(callers).locks().cancelledBy(signal);
    CompletableFuture<LockHandle> blocked =
        CompletableFuture.supplyAsync(() -> cancellable.lock(key, WAITING));
    CompletableFuture<LockHandle> asynchronous = begin(cancellable, key);
    callers.await(2);

    signal.cancel();

    assertFails(Code.ABORTED, () -> join(blocked));
    assertFails(Code.ABORTED, () -> join(asynchronous));
    callers.await(0);
    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft(steps, key);
  }

  @Test
  default void anInterruptedWaiterLeavesTheQueueOfALock() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    Locks waiting = open(callers).locks();
    AtomicBoolean flag = new AtomicBoolean();
    CompletableFuture<Void> failed = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                waiting.lock(key, WAITING);
              } catch (RuntimeException e) {
                flag.set(Thread.currentThread().isInterrupted());
                failed.completeExceptionally(e);
              }
            });
    thread.start();
    callers.await(1);

    thread.interrupt();

    assertFails(Code.ABORTED, () -> join(failed));
    assertThat(flag).isTrue();
    callers.await(0);
    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft(steps, key);
  }

  @Test
  default void aWaiterWhoseFutureIsCancelledLeavesTheQueueOfALock() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    CompletableFuture<LockHandle> waiter = begin(open(callers).locks(), key);
    callers.await(1);

    waiter.cancel(false);

    callers.await(0);
    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft(steps, key);
  }

  @Test
  default void whoIsBehindAWaiterThatLeavesIsServed() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    CancelSignal signal = CancelSignal.create();
    SyncGuard client = open(callers);
    CompletableFuture<LockHandle> leaving = begin(client.locks().cancelledBy(signal), key);
    callers.await(1);
    CompletableFuture<LockHandle> staying = begin(client.locks(), key);
    callers.await(2);

    signal.cancel();
    assertFails(Code.ABORTED, () -> join(leaving));
    held.close();

    join(staying).close();
  }

  @Test
  default void aGuardThatIsClosedLeavesNoWaiterBehind() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    SyncGuard closing = open(GuardOptions.defaults().withTimeSource(fixture().time()), callers);
    List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add(begin(closing.locks(), key));
    }
    CompletableFuture<LockHandle> blocked =
        CompletableFuture.supplyAsync(() -> closing.locks().lock(key, WAITING));
    waiters.add(blocked);
    callers.await(21);

    closing.close();

    callers.await(0);
    waiters.forEach(waiter -> assertFails(Code.SERVICE_UNAVAILABLE, () -> join(waiter)));
    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft(steps, key);
  }

  @Test
  default void nothingIsLeftOfAQueueThatWasServed() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
    Locks waiting = open(callers).locks();
    for (int i = 0; i < 5; i++) {
      waiters.add(begin(waiting, key));
      callers.await(i + 1);
    }
    held.close();
    waiters.forEach(waiter -> waiter.thenAccept(LockHandle::close).join());
    eventually(() -> assertThat(steps.isLocked(key)).isFalse());
    assertNothingIsLeft(steps, key);
  }

  /** A place that was kept would have been granted the lock. */
  private void assertNothingIsLeft(LockSteps steps, String key) {
    assertThat(steps.isLocked(key)).isFalse();
    assertThat(fixture().keptOfQueue(key)).isEmpty();
  }
}
