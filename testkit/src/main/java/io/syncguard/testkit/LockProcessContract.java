package io.syncguard.testkit;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.lock.LockSuite;
import io.syncguard.testkit.process.HandOffResult;
import io.syncguard.testkit.process.LockProcess;
import io.syncguard.testkit.process.ProcessHandOffs;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a store's locks promise to waiters in several processes, which are killed, paused, and many.
 * For stores with a queue that processes share; the store must be set up.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public abstract class LockProcessContract {

  private static final LockOptions WAITING =
      LockOptions.defaults().withTtl(Duration.ofMinutes(5)).withMaxWait(Duration.ofMinutes(2));

  /** What a busy machine may add. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  private final String key = "testkit:" + UUID.randomUUID();

  /** For subclasses. */
  protected LockProcessContract() {}

  /** Returns where the store under test is. */
  protected abstract String uri();

  /** Returns how often the lock is passed on; a slow store may do with less. */
  protected int handOffs() {
    return 3000;
  }

  /** Returns how long the others wait at most for the waiters of a process that was killed. */
  protected Duration untilTheKilledAreSkipped() {
    return UNTIL_PASSED_OVER;
  }

  /** How long the others wait at most for a waiter that does not confirm its grant. */
  private static final Duration UNTIL_PASSED_OVER =
      QueueTimes.GRANT.plusMillis(Liveness.TOLERANCE_MS).plus(QueueTimes.BEAT);

  @Test
  final void aLockIsPassedOnBetweenProcessesInOrder() throws Exception {
    HandOffResult result = ProcessHandOffs.on(uri()).ofLock().handOffs(handOffs()).run();
    result.history().check();
    assertThat(result.history().size()).isEqualTo(handOffs());
    assertThat(result.history().waited()).as("how many had to wait").isGreaterThan(handOffs() / 10);
    assertThat(result.history().placesLost()).isZero();
    eventually(this::assertNothingIsLeftOfQueues);
  }

  @Test
  final void fiftyWaitersOfAKilledProcessAreSkipped() throws Exception {
    try (SyncGuard guard = SyncGuard.open(uri());
        LockProcess killed = LockProcess.start(uri(), key)) {
      LockHandle held = (LockHandle) guard.locks().tryLock(key, WAITING.ttl());
      killed.queue(50);
      CompletableFuture<LockHandle> next = begin(guard);
      killed.kill();
      long begun = System.nanoTime();
      held.close();

      LockHandle successor = LockSuite.join(next);

      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(untilTheKilledAreSkipped().plus(SLACK));
      assertThat(killed.held()).isZero();
      successor.close();
      assertThat(guard.locks().isLocked(key)).isFalse();
    }
    eventually(this::assertNothingIsLeftOfQueues);
  }

  @Test
  final void aWaiterWhoseProcessWasPausedIsPassedOverAndKnowsThatItDoesNotHold() throws Exception {
    try (SyncGuard guard = SyncGuard.open(uri());
        LockProcess paused = LockProcess.start(uri(), key)) {
      LockHandle held = (LockHandle) guard.locks().tryLock(key, WAITING.ttl());
      paused.queue(1);
      CompletableFuture<LockHandle> next = begin(guard);
      paused.pause();
      long begun = System.nanoTime();
      held.close();
      LockHandle successor = LockSuite.join(next);
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(UNTIL_PASSED_OVER.plus(SLACK));

      paused.resume();
      paused.queue(1);

      assertThat(paused.held()).isZero();
      assertThat(successor.release()).isEqualTo(ReleaseResult.RELEASED);
      paused.awaitHeld();
      paused.release();
    }
  }

  private CompletableFuture<LockHandle> begin(SyncGuard guard) {
    return guard.locks().async().lock(key, WAITING).toCompletableFuture();
  }

  /** Asserts that the store has nothing of queues in which no client waits. */
  protected abstract void assertNothingIsLeftOfQueues();
}
