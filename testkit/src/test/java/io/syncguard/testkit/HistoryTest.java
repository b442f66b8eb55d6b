package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.SyncGuard;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.history.History;
import io.syncguard.testkit.history.History.Hold;
import io.syncguard.testkit.lock.ContentionSuite;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The checker is trusted because it has caught these. */
class HistoryTest {

  private final CountDownLatch bothInside = new CountDownLatch(2);

  @Test
  void aHistoryOfHoldsOneAfterTheOtherIsFine() {
    History history = new History();
    history.add(new Hold("b", "k", Fence.of(2), 11, 20));
    history.add(new Hold("a", "k", Fence.of(1), 0, 10));
    history.add(new Hold("c", "other key", Fence.of(1), 5, 15));
    assertThatCode(history::check).doesNotThrowAnyException();
  }

  @Test
  void holdsThatOverlapAreFoundAndNamed() {
    History history = new History();
    history.add(new Hold("a", "k", Fence.of(1), 0, 10));
    history.add(new Hold("b", "k", Fence.of(2), 9, 20));
    assertThatThrownBy(history::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("at once")
        .hasMessageContaining("worker=a")
        .hasMessageContaining("worker=b");
  }

  @Test
  void aHoldInsideALongerOneIsFoundEvenIfAnotherEndsBetween() {
    History history = new History();
    history.add(new Hold("long", "k", Fence.of(1), 0, 100));
    history.add(new Hold("short", "k", Fence.of(2), 10, 20));
    history.add(new Hold("late", "k", Fence.of(3), 30, 40));
    assertThatThrownBy(history::check).hasMessageContaining("worker=long");
  }

  @Test
  void aFenceThatRepeatsOrFallsIsFoundAndNamed() {
    for (long second : new long[] {5, 4}) {
      History history = new History();
      history.add(new Hold("a", "k", Fence.of(5), 0, 10));
      history.add(new Hold("b", "k", Fence.of(second), 11, 20));
      assertThatThrownBy(history::check)
          .hasMessageContaining("did not increase")
          .hasMessageContaining("worker=a")
          .hasMessageContaining("worker=b");
    }
  }

  @Test
  void aStoreThatGrantsALockToTwoIsCaughtInARealRun() {
    AtomicLong fences = new AtomicLong();
    History history =
        runOn(
            Interception.on(
                LockOperation.Acquire.class,
                (acquire, call, next) ->
                    CompletableFuture.completedFuture(
                        new AcquireAttempt.Granted(
                            Fence.of(fences.incrementAndGet()), Instant.now().plusSeconds(60)))));
    assertThatThrownBy(history::check).hasMessageContaining("at once");
  }

  private History runOn(UnaryOperator<OperationExecutor> planted) {
    History history = new History();
    try (SyncGuard guard =
        SyncGuard.over(
            new DecoratedStore(StoreProvider.openStore("memory:", TimeSource.system()), planted))) {
      ContentionSuite.inParallel(
          2,
          worker -> {
            // Not call(): at the task's end that notices by itself that the store holds nothing.
            try (LockHandle lock = guard.locks().lock("k")) {
              return holdUntilBothDo(history, worker, lock);
            }
          });
    }
    return history;
  }

  private boolean holdUntilBothDo(History history, int worker, LockHandle lock) {
    History.Open hold = history.begin("worker " + worker, lock.key(), lock.fence());
    bothInside.countDown();
    try {
      bothInside.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    hold.end();
    return true;
  }
}
