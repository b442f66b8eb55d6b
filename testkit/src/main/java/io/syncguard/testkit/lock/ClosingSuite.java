package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.testkit.StoreSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Closing a guard while it is in use. */
public interface ClosingSuite extends LockSuite {

  @Test
  default void closingLetsATaskEndAndLeavesNoLock() throws Exception {
    String key = newKey();
    SyncGuard closing = open(guardOptions().withCloseTimeout(LONG));
    CompletableFuture<LockHandle> running = new CompletableFuture<>();
    CountDownLatch mayEnd = new CountDownLatch(1);
    FutureTask<Boolean> task =
        new FutureTask<>(
            () ->
                closing
                    .locks()
                    .call(
                        key,
                        lock -> {
                          running.complete(lock);
                          mayEnd.await();
                          return lock.extend(LONG).isExtended();
                        }));
    new Thread(task).start();
    LockHandle lock = join(running);
    Thread closer = new Thread(closing::close);
    closer.start();
    untilWaiting(closer);
    eventually(
        () -> assertFails(Code.SERVICE_UNAVAILABLE, () -> closing.locks().tryLock(newKey())));
    assertThat(lock.isHeld()).isTrue();
    assertThat(closing.locks().isLocked(key)).isTrue();
    mayEnd.countDown();
    assertThat(task.get()).isTrue();
    closer.join();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void closingEndsWaitsAtOnce() throws Exception {
    String key = newKey();
    SyncGuard closing = open(guardOptions().withCloseTimeout(LONG));
    LockHandle held = take(closing.locks(), key, LONG);
    CompletableFuture<LockHandle> waiting =
        closing.locks().async().lock(key, ContentionSuite.PATIENT).toCompletableFuture();
    FutureTask<LockHandle> blocked =
        new FutureTask<>(() -> closing.locks().lock(key, ContentionSuite.PATIENT));
    Thread waiter = new Thread(blocked);
    waiter.start();
    untilWaiting(waiter);
    Thread closer = new Thread(closing::close);
    closer.start();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(waiting));
    waiter.join();
    assertThat(held.isHeld()).isTrue();
    held.close();
    closer.join();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void whatIsHeldWhenTheTimeIsOverIsReleasedAndItsHoldersAreTold() throws Exception {
    SyncGuard closing = open(guardOptions().withCloseTimeout(SHORT));
    List<LockHandle> held = new ArrayList<>();
    CountDownLatch lost = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      held.add(take(closing.locks(), newKey(), LONG).onLost(lost::countDown));
    }
    closing.close();
    assertThat(held).noneMatch(LockHandle::isHeld);
    assertThat(held).noneMatch(lock -> otherLocks().isLocked(lock.key()));
    assertThat(lost.await(1, TimeUnit.MINUTES)).isTrue();
    held.forEach(LockHandle::close);
  }

  @Test
  default void aGuardMayKeepWhatIsHeldWhenItIsClosed() {
    SyncGuard closing = open(guardOptions().withKeepOnClose());
    LockHandle held = take(closing.locks(), newKey(), LONG);
    closing.close();
    assertThat(otherLocks().owns(held.lockId())).isTrue();
    otherLocks().release(held.lockId());
  }

  @Test
  default void aTaskAContinuationAndAListenerMayCloseTheGuard() {
    SyncGuard fromTask = open(guardOptions().withCloseTimeout(SHORT));
    String key = newKey();
    assertFails(Code.LOCK_LOST, () -> fromTask.locks().run(key, lock -> fromTask.close()));
    assertThat(otherLocks().isLocked(key)).isFalse();

    SyncGuard fromContinuation = open(guardOptions().withCloseTimeout(SHORT));
    join(fromContinuation.locks().async().lock(key).thenAccept(lock -> fromContinuation.close()));
    assertThat(otherLocks().isLocked(key)).isFalse();

    SyncGuard fromListener = open(guardOptions().withCloseTimeout(SHORT));
    CompletableFuture<Void> closed = new CompletableFuture<>();
    LockHandle lock = take(fromListener.locks(), key, LONG);
    lock.onLost(
        () -> {
          fromListener.close();
          closed.complete(null);
        });
    otherLocks().release(lock.lockId());
    lock.extend(LONG);
    join(closed);
  }

  @Test
  default void anInterruptEndsTheTimeForTasksAndNotTheReleases() {
    SyncGuard closing = open(guardOptions().withCloseTimeout(LONG));
    LockHandle held = take(closing.locks(), newKey(), LONG);
    Thread.currentThread().interrupt();
    closing.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(otherLocks().isLocked(held.key())).isFalse();
  }

  @Test
  default void closingEndsInTimeWhileTheStoreFails() {
    List<Code> told = new CopyOnWriteArrayList<>();
    FaultyClient client =
        openFaulty(
            guardOptions()
                .withCloseTimeout(SHORT)
                .withDisposeTimeout(SHORT)
                .withOnReleaseError((error, failure) -> told.add(error.code())));
    LockHandle held = take(client.locks(), newKey(), LONG);
    client.faults().refuse(Integer.MAX_VALUE);
    client.guard().close();
    assertThat(held.isHeld()).isFalse();
    assertThat(told).allMatch(Code.SERVICE_UNAVAILABLE::equals);
  }

  @Test
  default void closingInTheMiddleOfContentionLeavesNoLock() throws Exception {
    String key = newKey();
    SyncGuard closing = open(guardOptions().withCloseTimeout(LONG));
    AtomicInteger rounds = new AtomicInteger();
    Thread closer =
        new Thread(
            () -> {
              while (rounds.get() < 20) {
                Thread.onSpinWait();
              }
              closing.close();
            });
    closer.start();
    StoreSuite.together(
        4,
        () -> {
          while (true) {
            try {
              closing.locks().lock(key, ContentionSuite.PATIENT).close();
              rounds.incrementAndGet();
            } catch (SyncGuardException e) {
              return e.code();
            }
          }
        });
    closer.join();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }
}
