package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemorySemaphoresTest {

  private static final ResourceKey NAME = ResourceKey.of("name");
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration TTL = Duration.ofMinutes(1);

  private final HandMovedTime time = new HandMovedTime();
  private final MemorySemaphores semaphores = new MemorySemaphores(new StoreClock(time));

  @Test
  void nothingIsLeftOfANameThatIsNotUsed() {
    PermitReference holder = newPermit();
    PermitReference waiter = newPermit();
    acquire(holder, 1, true);
    acquire(waiter, 1, true);
    acquire(newPermit(), 1, false);
    assertThat(semaphores.size()).isEqualTo(1);
    release(waiter);
    release(holder);
    assertThat(semaphores.size()).isZero();
  }

  @Test
  void nothingIsLeftOfTheDeadWithoutAnotherOperation() {
    acquire(newPermit(), 1, true);
    acquire(newPermit(), 1, true);
    time.move(Duration.ofMinutes(1));
    assertThat(semaphores.size()).isZero();
  }

  @Test
  void anAttemptThatIsRefusedLeavesNothing() {
    semaphores.resize(new SemaphoreOperation.Resize(NAME, 5), Call.plain());
    semaphores.stats(new SemaphoreOperation.Stats(NAME), Call.plain());
    release(newPermit());
    assertThat(semaphores.size()).isZero();
  }

  @Test
  void aClosedWatchIsForgotten() {
    semaphores.watch(newPermit(), WaiterHints.looking(() -> {})).orElseThrow().close();
    assertThat(semaphores.size()).isZero();
  }

  @Test
  void aPermitIsAliveUntilItsTimeoutIsOverAndNotBefore() {
    PermitReference holder = newPermit();
    acquire(holder, 1, true);
    time.move(TIMEOUT);
    assertThat(acquire(newPermit(), 1, false)).isInstanceOf(PermitAttempt.Busy.class);
    time.move(Duration.ofMillis(1));
    assertThat(acquire(newPermit(), 1, false)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(release(holder)).isEqualTo(PermitReleaseResult.NOT_FOUND);
  }

  @Test
  void ticketsIncreaseAlthoughTimeStandsStill() {
    acquire(newPermit(), 1, true);
    long last = 0;
    for (int i = 0; i < 100; i++) {
      long ticket = ((PermitAttempt.Waiting) acquire(newPermit(), 1, true)).ticket();
      assertThat(ticket).isGreaterThan(last);
      last = ticket;
    }
  }

  private PermitAttempt acquire(PermitReference permit, int limit, boolean waits) {
    return Answer.of(
        semaphores.acquire(
            new SemaphoreOperation.Acquire(permit, limit, TTL, TIMEOUT, waits, false),
            Call.plain()));
  }

  private PermitReleaseResult release(PermitReference permit) {
    return Answer.of(
        semaphores.release(new SemaphoreOperation.Release(permit), Call.ofRelease(TIMEOUT)));
  }

  private static PermitReference newPermit() {
    return new PermitReference(NAME, PermitId.random());
  }
}
