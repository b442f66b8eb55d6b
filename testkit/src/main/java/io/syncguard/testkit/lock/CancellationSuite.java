package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** An operation can be called off; a release cannot. */
public interface CancellationSuite extends LockSuite {

  @Test
  default void aCancelledSignalStopsEveryOperationBeforeItBegins() {
    String key = newKey();
    LockHandle holder = take(locks(), key, LONG);
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    Locks cancelled = locks().cancelledBy(signal);

    String other = newKey();
    assertFails(Code.ABORTED, () -> cancelled.tryLock(other));
    assertFails(Code.ABORTED, () -> cancelled.lock(other));
    assertFails(Code.ABORTED, () -> cancelled.run(other, lock -> {}));
    assertFails(Code.ABORTED, () -> cancelled.extend(holder.lockId(), LONG));
    assertFails(Code.ABORTED, () -> holder.extend(LONG, signal));
    assertFails(Code.ABORTED, () -> join(holder.extendAsync(LONG, signal)));
    assertFails(Code.ABORTED, () -> cancelled.isLocked(key));
    assertFails(Code.ABORTED, () -> cancelled.getByKey(key));
    assertFails(Code.ABORTED, () -> cancelled.getById(holder.lockId()));
    assertFails(Code.ABORTED, () -> join(cancelled.async().tryLock(other)));
    assertFails(Code.ABORTED, () -> join(cancelled.async().lock(other)));
    assertFails(Code.ABORTED, () -> join(cancelled.async().extend(holder.lockId(), LONG)));
    assertFails(Code.ABORTED, () -> join(cancelled.async().isLocked(key)));
    assertFails(Code.ABORTED, () -> join(cancelled.async().getByKey(key)));
    assertThat(otherLocks().isLocked(other)).isFalse();
    assertThat(holder.isHeld()).isTrue();

    assertThat(cancelled.release(holder.lockId())).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void aWaiterStopsWhenItsSignalIsCancelled() throws Exception {
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    CancelSignal signal = CancelSignal.create();
    FutureTask<Throwable> waiter =
        new FutureTask<>(
            () ->
                catchThrowable(
                    () -> locks().cancelledBy(signal).lock(key, ContentionSuite.PATIENT)));
    Thread thread = new Thread(waiter);
    thread.start();
    untilWaiting(thread);

    signal.cancel();

    assertFails(Code.ABORTED, () -> rethrow(waiter.get()));
    assertNobodyElseIsInTheWay(key, holder);
  }

  @Test
  default void anAsynchronousWaiterStopsWhenItsSignalIsCancelled() throws InterruptedException {
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<LockHandle> waiter =
        locks()
            .cancelledBy(signal)
            .async()
            .lock(key, ContentionSuite.PATIENT)
            .toCompletableFuture();
    assertThat(waiter).isNotDone();

    signal.cancel();

    assertFails(Code.ABORTED, () -> join(waiter));
    assertNobodyElseIsInTheWay(key, holder);
  }

  @Test
  default void aWaiterStopsWhenItsThreadIsInterrupted() throws Exception {
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    CompletableFuture<Boolean> flagAfterwards = new CompletableFuture<>();
    FutureTask<Throwable> waiter =
        new FutureTask<>(
            () -> {
              Throwable thrown = catchThrowable(() -> locks().lock(key, ContentionSuite.PATIENT));
              flagAfterwards.complete(Thread.currentThread().isInterrupted());
              return thrown;
            });
    Thread thread = new Thread(waiter);
    thread.start();
    untilWaiting(thread);

    thread.interrupt();

    assertThat(flagAfterwards.get()).isTrue();
    assertFails(Code.ABORTED, () -> rethrow(waiter.get()));
    assertNobodyElseIsInTheWay(key, holder);
  }

  @Test
  default void anInterruptedThreadBeginsNothingButCanLetGo() {
    String key = newKey();
    LockHandle holder = take(locks(), key, LONG);
    Thread.currentThread().interrupt();
    try {
      assertFails(Code.ABORTED, () -> locks().tryLock(newKey()));
      assertFails(Code.ABORTED, () -> locks().isLocked(key));
      assertFails(Code.ABORTED, () -> holder.extend(LONG));
      assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void oneWaiterThatGivesUpDoesNotHoldUpTheNext() throws Exception {
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<LockHandle> first =
        locks()
            .cancelledBy(signal)
            .async()
            .lock(key, ContentionSuite.PATIENT)
            .toCompletableFuture();
    CompletableFuture<LockHandle> second =
        locks().async().lock(key, ContentionSuite.PATIENT).toCompletableFuture();

    signal.cancel();
    holder.close();

    assertFails(Code.ABORTED, () -> join(first));
    join(second).close();
  }

  @Test
  default void aLockThatNobodyWantsAnyMoreIsReleased() throws Exception {
    String key = newKey();
    LockHandle holder = take(otherLocks(), key, LONG);
    CompletableFuture<LockHandle> waiter =
        locks().async().lock(key, ContentionSuite.PATIENT).toCompletableFuture();
    waiter.cancel(false);

    holder.close();

    otherLocks().lock(key, ContentionSuite.PATIENT).close();
  }

  /** What an attempt that was under way may have got after all is released in the background. */
  private void assertNobodyElseIsInTheWay(String key, LockHandle holder)
      throws InterruptedException {
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    eventually(() -> take(otherLocks(), key, LONG).close());
  }

  private static void rethrow(Throwable thrown) {
    throw (SyncGuardException) thrown;
  }
}
