package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One name has one limit, and changing it is an explicit call. */
public interface LimitSuite extends SemaphoreSuite {

  @Test
  default void anotherLimitForANameInUseIsAnError() {
    String name = newName();
    Permit held = take(guard().semaphore(name, 2));
    FairSemaphore other = otherGuard().semaphore(name, 3);
    SyncGuardException failure = assertFails(Code.INVALID_ARGUMENT, other::tryAcquire);
    assertThat(failure).hasMessageContaining("limit 2").hasMessageNotContaining(name);
    assertFails(Code.INVALID_ARGUMENT, other::acquire);
    assertFails(Code.INVALID_ARGUMENT, () -> join(other.async().acquire()));
    assertFails(Code.INVALID_ARGUMENT, () -> join(other.async().tryAcquire()));
    assertThat(acquired(name)).isEqualTo(1);
    held.close();
  }

  @Test
  default void aNameThatNobodyUsesMayHaveAnotherLimit() {
    String name = newName();
    take(guard().semaphore(name, 2)).close();
    FairSemaphore other = otherGuard().semaphore(name, 1);
    take(other);
    assertThat(other.tryAcquire()).isEmpty();
    assertFails(Code.INVALID_ARGUMENT, () -> guard().semaphore(name, 2).tryAcquire());
  }

  @Test
  default void aGreaterLimitIsGoodForThoseWhoWait() throws Exception {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 1);
    take(semaphore);
    List<CompletableFuture<Permit>> waiters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiters.add(otherGuard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture());
      untilWaiting(name, i + 1);
    }
    assertThat(semaphore.resize(3)).isTrue();
    assertThat(semaphore.limit()).isEqualTo(3);
    waiters.get(0).join();
    waiters.get(1).join().close();
    waiters.get(2).join();
    assertThat(waiters.get(3)).isNotDone();
    assertThat(acquired(name)).isEqualTo(3);
    assertThat(semaphore.tryAcquire()).isEmpty();
  }

  @Test
  default void aSmallerLimitLeavesPermitsValidAndGrantsNoneUntilThereAreFewer() throws Exception {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 3);
    Permit first = take(semaphore);
    Permit second = take(semaphore);
    Permit third = take(semaphore);
    CompletableFuture<Permit> waiter =
        otherGuard().semaphore(name, 3).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);

    assertThat(semaphore.resize(1)).isTrue();

    assertThat(List.of(first, second, third)).allMatch(Permit::isHeld);
    first.close();
    second.close();
    assertThat(waiter).isNotDone();
    assertThat(semaphore.tryAcquire()).isEmpty();
    third.close();
    waiter.join().close();
    take(semaphore).close();
  }

  @Test
  default void afterAResizeTheOldLimitIsRefused() {
    String name = newName();
    take(guard().semaphore(name, 1));
    assertThat(guard().semaphore(name, 1).resize(2)).isTrue();
    assertFails(Code.INVALID_ARGUMENT, () -> otherGuard().semaphore(name, 1).tryAcquire());
    take(otherGuard().semaphore(name, 2));
  }

  @Test
  default void thereIsNothingToResizeWhereNobodyIs() {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 1);
    assertThat(semaphore.resize(2)).isFalse();
    take(semaphore);
    take(semaphore);
    assertThat(semaphore.tryAcquire()).isEmpty();
  }
}
