package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.QueueTimes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What the suites of locks' queues have to work with. A store without a queue skips them. */
public interface QueuedLockSuite extends LockSuite {

  /** Waits for longer than a test lasts, for a lock that does not expire. */
  LockOptions WAITING = LockOptions.defaults().withTtl(LONG).withMaxWait(Duration.ofMinutes(1));

  /** The time after which a grant that is not confirmed is surely over. */
  Duration UNTIL_A_GRANT_IS_OVER = QueueTimes.GRANT.plusMillis(Liveness.TOLERANCE_MS + 50);

  /** The time after which the waiters of a process that shows no sign of life are surely dead. */
  Duration UNTIL_DEAD = QueueTimes.ALIVE.plusMillis(50);

  /** Time passes step by step where what is due meanwhile must be done when it is due. */
  Duration STEP = Duration.ofMillis(100);

  /** Returns the bare store of a further client, closed after the test. */
  Store openBareStore();

  /** Returns steps of a further client. Skips the test if the store has no queue. */
  default LockSteps openSteps() {
    Store store = openBareStore();
    assumeTrue(store.locks().hasQueue(), "these locks have no queue");
    return new LockSteps(store);
  }

  /** Opens a further client that tells who has joined a queue, closed after the test. */
  default SyncGuard open(QueuedCallers callers) {
    return open(guardOptions(), callers);
  }

  /** Begins to wait, and returns at once. */
  static CompletableFuture<LockHandle> begin(Locks locks, String key) {
    return locks.async().lock(key, WAITING).toCompletableFuture();
  }

  /** Has time pass for the store until this is done, a tenth of a second after another. */
  default void passTimeUntilDone(CompletableFuture<?> done) throws InterruptedException {
    for (int steps = 0; !done.isDone() && steps < 500; steps++) {
      fixture().passTime(STEP);
      awaitBriefly(done);
    }
  }

  /** The same for a time, so that what is due meanwhile is done when it is due. */
  default void passTimeInSteps(Duration time) throws InterruptedException {
    for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
      fixture().passTime(STEP);
    }
  }

  /** Blocks until the store keeps the lock on a key for longer than a grant. */
  default void untilConfirmed(LockSteps steps, String key) throws InterruptedException {
    eventually(() -> assertThat(steps.lifeOf(key)).isGreaterThan(UNTIL_A_GRANT_IS_OVER));
  }

  private static void awaitBriefly(CompletableFuture<?> done) throws InterruptedException {
    for (int i = 0; !done.isDone() && i < 20; i++) {
      Thread.sleep(1);
    }
  }
}
