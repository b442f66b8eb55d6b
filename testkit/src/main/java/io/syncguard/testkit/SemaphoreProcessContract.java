package io.syncguard.testkit;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.testkit.process.HandOffResult;
import io.syncguard.testkit.process.PermitProcess;
import io.syncguard.testkit.process.ProcessHandOffs;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a store's semaphores promise across processes, which are killed, paused, and many. For
 * stores that processes share; the store must be set up.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public abstract class SemaphoreProcessContract {

  /** Long enough that a process which is only slow is not taken for dead. */
  private static final SemaphoreOptions MORTAL =
      SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(1));

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String name = "testkit:" + UUID.randomUUID();

  /** For subclasses. */
  protected SemaphoreProcessContract() {}

  /** Returns where the store under test is. */
  protected abstract String uri();

  /** Returns how often slots are passed on; a slow store may do with less. */
  protected int handOffs() {
    return 3000;
  }

  @Test
  final void slotsArePassedOnBetweenProcessesInOrder() {
    HandOffResult result = ProcessHandOffs.on(uri()).handOffs(handOffs()).run();
    result.history().check();
    assertThat(result.history().size()).isEqualTo(handOffs());
    assertThat(result.history().waited()).as("how many had to wait").isGreaterThan(handOffs() / 10);
    assertNothingIsLeft();
  }

  @Test
  final void aKilledHolderLosesItsSlotAndAKilledWaiterItsPlace() throws Exception {
    try (SyncGuard guard = SyncGuard.open(uri());
        PermitProcess holder = PermitProcess.start(uri(), name, 1, MORTAL);
        PermitProcess waiter = PermitProcess.start(uri(), name, 1, MORTAL)) {
      holder.acquire();
      holder.awaitHeld();
      waiter.acquire();
      untilWaiting(guard, 1);
      CompletableFuture<Permit> next =
          guard.semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
      untilWaiting(guard, 2);

      waiter.kill();
      holder.kill();

      next.join().close();
    }
    assertNothingIsLeft();
  }

  @Test
  final void aHolderThatWasPausedLearnsThatItLostItsPermit() {
    try (SyncGuard guard = SyncGuard.open(uri());
        PermitProcess paused = PermitProcess.start(uri(), name, 1, MORTAL)) {
      paused.acquire();
      paused.awaitHeld();
      paused.pause();
      Permit next = guard.semaphore(name, 1).acquire(PATIENCE);

      paused.resume();

      paused.awaitLost();
      paused.release();
      paused.awaitNothingToRelease();
      assertThat(next.isHeld()).isTrue();
      assertThat(guard.semaphore(name, 1).stats().acquired()).isEqualTo(1);
      next.close();
    }
    assertNothingIsLeft();
  }

  private void untilWaiting(SyncGuard guard, int count) throws InterruptedException {
    eventually(
        () ->
            assertThat(guard.semaphores().stats(name).map(SemaphoreStats::waiting))
                .contains(count));
  }

  private void assertNothingIsLeft() {
    try (SyncGuard guard = SyncGuard.open(uri())) {
      assertThat(guard.semaphores().stats()).isEmpty();
    }
    assertStoreIsEmpty();
  }

  /** Asserts that the store has nothing of a semaphore that is not in use. */
  protected abstract void assertStoreIsEmpty();
}
