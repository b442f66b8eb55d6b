package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static io.syncguard.testkit.lock.QueuedLockSuite.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What happens to a queue from outside: clients that know no queue, and fences that are refused.
 */
public interface QueueOutsideSuite extends QueuedLockSuite {

  @Test
  default void whatAForeignClientFreesIsGrantedByASignOfLife() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference holder = steps.take(key);
    LockReference first = steps.join(key);
    LockReference second = steps.join(key);
    assumeTrue(fixture().freeAsForeignClient(key, holder.lockId()), "no foreign clients");
    assertThat(steps.isLocked(key)).isFalse();

    assertThat(steps.keepWaiting(first)).containsExactly(PlaceState.GONE);

    assertThat(steps.holderOf(key)).isEqualTo(first.lockId());
    assertThat(steps.keepWaiting(second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  default void aForeignClientsReleaseIsNoticedWithinTwoHeartbeats() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    CompletableFuture<LockHandle> first = begin(open(callers).locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> second = begin(open(callers).locks(), key);
    callers.await(2);
    assumeTrue(fixture().freeAsForeignClient(key, held.lockId()), "no foreign clients");
    long freed = System.nanoTime();

    LockHandle next = join(first);

    assertThat(System.nanoTime() - freed).isLessThan(2 * QueueTimes.BEAT.toNanos());
    assertThat(next.fence().isNewerThan(held.fence())).isTrue();
    assertThat(second).isNotDone();
    next.close();
    join(second).close();
  }

  @Test
  default void aReleaseThatCannotGrantReleasesAllTheSame() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference holder = steps.take(key);
    LockReference first = steps.join(key);
    LockReference second = steps.join(key);
    assumeTrue(fixture().useUpFences(key), "fences cannot be used up here");

    assertThat(steps.release(holder)).isEqualTo(ReleaseResult.RELEASED);

    assertThat(steps.isLocked(key)).isFalse();
    assertThat(steps.release(holder)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertFails(Code.INTERNAL, () -> steps.ask(first));
    steps.leave(first);
    assertFails(Code.INTERNAL, () -> steps.ask(second));
    steps.leave(second);
    assertFails(Code.INTERNAL, () -> steps.tryLock(steps.newLock(key)));
    assertThat(fixture().keptOfQueue(key)).isEmpty();
  }

  @Test
  default void waitersThatCannotBeGrantedALockFailWithTheReason() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    CompletableFuture<LockHandle> first = begin(open(callers).locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> second = begin(open(callers).locks(), key);
    callers.await(2);
    assumeTrue(fixture().useUpFences(key), "fences cannot be used up here");

    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);

    passTimeUntilDone(first);
    assertFails(Code.INTERNAL, () -> join(first));
    passTimeUntilDone(second);
    assertFails(Code.INTERNAL, () -> join(second));
    assertThat(otherLocks().isLocked(key)).isFalse();
  }
}
