package io.syncguard.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Workers;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OffloadingExecutorTest {

  private static final ResourceKey KEY = ResourceKey.of("key");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final LockOperation.IsLocked QUESTION = new LockOperation.IsLocked(KEY);

  private final LockOperation.Acquire acquire =
      new LockOperation.Acquire(KEY, LockId.random(), HOUR, false);
  private final AnsweringStore store = new AnsweringStore(new HandMovedTime(), operation -> null);
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void theOperationRunsInTheExecutorOnly() {
    CompletionStage<Boolean> locked =
        offloaded(store, tasks::add, HOUR).execute(QUESTION, Call.plain());
    assertThat(locked).isNotCompleted();
    assertThat(store.asked()).isEmpty();

    tasks.remove().run();

    assertThat(locked).isCompletedWithValue(false);
    assertThat(store.asked()).containsExactly(QUESTION);
    assertThat(tasks).isEmpty();
  }

  @Test
  void aFailureCompletesTheStageWithItself() {
    SyncGuardException planted = new SyncGuardException(Code.AUTH_FAILED, "planted");
    OperationExecutor throwing =
        new OperationExecutor() {
          @Override
          public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
            throw planted;
          }
        };
    assertThat(failureOf(offloaded(throwing, Runnable::run, HOUR))).isSameAs(planted);

    store.close();
    assertFailsWithServiceUnavailable(offloaded(store, Runnable::run, HOUR));
  }

  @Test
  void anExecutorThatTakesNothingFailsTheStageAndNotTheCall() {
    assertFailsWithServiceUnavailable(
        offloaded(
            store,
            task -> {
              throw new RejectedExecutionException("planted");
            },
            HOUR));
    assertFailsWithServiceUnavailable(
        offloaded(
            store,
            task -> {
              throw new OutOfMemoryError("unable to create native thread (planted)");
            },
            HOUR));
  }

  @Test
  void aStoreThatIsClosedSaysSoItself() {
    SyncGuardException closed = SyncGuardException.closed("planted", null);
    assertThat(
            failureOf(
                offloaded(
                    store,
                    task -> {
                      throw closed;
                    },
                    HOUR)))
        .isSameAs(closed);
  }

  @Test
  void anOperationThatNoThreadComesToEndsByItsTimeAndIsNotCarriedOut() {
    assertThat(
            offloaded(store, tasks::add, HOUR)
                .execute(acquire, Call.plain().within(Duration.ofMillis(20))))
        .failsWithin(Duration.ofSeconds(10));

    tasks.remove().run();
    assertThat(store.asked()).isEmpty();
  }

  @Test
  void anOperationThatNoThreadComesToEndsByThePatienceOfTheWorkers() {
    assertThat(offloaded(store, tasks::add, Duration.ofMillis(20)).execute(acquire, Call.plain()))
        .failsWithin(Duration.ofSeconds(10));

    tasks.remove().run();
    assertThat(store.asked()).isEmpty();
  }

  @Test
  void theTimeThatItWaitedForAThreadIsPartOfItsTime() {
    AtomicReference<Duration> left = new AtomicReference<>();
    OperationExecutor noting =
        new OperationExecutor() {
          @Override
          public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
            left.set(call.timeLeft());
            return store.execute(operation, call);
          }
        };
    CompletionStage<AcquireAttempt> unlimited =
        offloaded(noting, tasks::add, HOUR).execute(acquire, Call.plain());
    tasks.remove().run();
    assertThat(left.get()).isLessThan(HOUR);
    assertThat(unlimited).isCompleted();

    CompletionStage<Boolean> limited =
        offloaded(noting, tasks::add, HOUR)
            .execute(QUESTION, Call.plain().within(Duration.ofMinutes(1)));
    tasks.remove().run();
    assertThat(left.get()).isLessThan(Duration.ofMinutes(1));
    assertThat(limited).isCompletedWithValue(true);
  }

  @Test
  void anOperationThatNoThreadComesToIsCancelledAndNotCarriedOut() {
    CancelSignal signal = CancelSignal.create();
    CompletionStage<AcquireAttempt> acquiring =
        offloaded(store, tasks::add, HOUR).execute(acquire, Call.of(signal));

    signal.cancel();

    assertThat(acquiring.handle((granted, failure) -> ((SyncGuardException) failure).code()))
        .isCompletedWithValue(Code.ABORTED);
    tasks.remove().run();
    assertThat(store.asked()).isEmpty();
  }

  private static OperationExecutor offloaded(
      OperationExecutor blocking, Executor threads, Duration patience) {
    return new OffloadingExecutor(
        blocking,
        new Workers() {
          @Override
          public void execute(Runnable task) {
            threads.execute(task);
          }

          @Override
          public Duration patience() {
            return patience;
          }
        });
  }

  private static Throwable failureOf(OperationExecutor executor) {
    return executor
        .execute(QUESTION, Call.plain())
        .handle((locked, thrown) -> thrown)
        .toCompletableFuture()
        .getNow(null);
  }

  private static void assertFailsWithServiceUnavailable(OperationExecutor executor) {
    assertThat(failureOf(executor))
        .isInstanceOfSatisfying(
            SyncGuardException.class,
            failure -> assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE));
  }
}
