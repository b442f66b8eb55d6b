package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreStats;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the statistics say. */
public interface StatsSuite extends SemaphoreSuite {

  @Test
  default void theyCountSlotsAndWaiters() throws Exception {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 2);
    assertThat(semaphore.stats()).isEqualTo(new SemaphoreStats(name, 0, 2, 0, Duration.ZERO));
    assertThat(semaphore.isLocked()).isFalse();
    assertThat(guard().semaphores().stats(name)).isEmpty();

    Permit first = take(semaphore);
    assertThat(semaphore.stats()).isEqualTo(new SemaphoreStats(name, 1, 2, 0, Duration.ZERO));
    assertThat(semaphore.stats().percent()).isEqualTo(50.0);
    assertThat(semaphore.isLocked()).isFalse();

    Permit second = take(semaphore);
    assertThat(semaphore.isLocked()).isTrue();
    CompletableFuture<Permit> waiter = semaphore.async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);
    fixture().passTime(Duration.ofMillis(100));
    SemaphoreStats full = otherGuard().semaphore(name, 2).stats();
    assertThat(full.acquired()).isEqualTo(2);
    assertThat(full.waiting()).isEqualTo(1);
    assertThat(full.percent()).isEqualTo(100.0);
    assertThat(full.longestWait()).isGreaterThanOrEqualTo(Duration.ofMillis(90));

    first.close();
    waiter.join().close();
    second.close();
    assertThat(guard().semaphores().stats(name)).isEmpty();
  }

  @Test
  default void theyListAllNamesInUse() {
    String one = newName();
    String two = newName();
    take(guard().semaphore(one, 1));
    take(guard().semaphore(two, 5));
    take(otherGuard().semaphore(two, 5));
    assertThat(otherGuard().semaphores().stats())
        .contains(
            new SemaphoreStats(one, 1, 1, 0, Duration.ZERO),
            new SemaphoreStats(two, 2, 5, 0, Duration.ZERO));
    assertThat(join(otherGuard().semaphores().statsAsync()))
        .extracting(SemaphoreStats::name)
        .contains(one, two);
  }

  @Test
  default void theyDoNotCountTheDead() throws Exception {
    String name = newName();
    FaultyClient dying = openFaulty();
    take(dying.guard().semaphore(name, 1, MORTAL));
    dying.faults().cutOff();
    fixture().passTime(UNTIL_DEAD);
    assertThat(otherGuard().semaphores().stats(name)).isEmpty();
    assertThat(guard().semaphore(name, 1).isLocked()).isFalse();
  }

  @Test
  default void lookingChangesNothing() {
    String name = newName();
    guard().semaphore(name, 1).stats();
    guard().semaphore(name, 1).isLocked();
    assertThat(otherGuard().semaphores().stats()).noneMatch(stats -> stats.name().equals(name));
    take(otherGuard().semaphore(name, 7));
  }
}
