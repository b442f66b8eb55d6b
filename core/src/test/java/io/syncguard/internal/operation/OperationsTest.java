package io.syncguard.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.syncguard.CancelSignal;
import io.syncguard.Failure;
import io.syncguard.KeyHash;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.Gate;
import io.syncguard.internal.telemetry.Events;
import io.syncguard.internal.telemetry.ReportingExecutor;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.Workers;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationsTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final LockOperation.IsLocked QUESTION = new LockOperation.IsLocked(KEY);
  private static final LockOperation.Release RELEASE =
      new LockOperation.Release(new LockReference(LockId.random(), KEY));
  private static final Call OF_RELEASE = Call.ofRelease(Duration.ofSeconds(5));

  private final RecordedEvents events = new RecordedEvents();
  private final Events reporting = new Events(Telemetry.to(events));
  private final Gate gate = new Gate();
  private @Nullable CompletionStage<?> planted;
  private final AnsweringStore store =
      new AnsweringStore(new HandMovedTime(), operation -> planted);
  private final Operations operations = new Operations(store, gate, reporting);

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void anOperationReachesTheStoreAndIsReportedOnce() {
    assertThat(operations.await(QUESTION, Call.plain())).isFalse();
    assertThat(operations.begin(QUESTION, Call.plain())).isCompletedWithValue(false);

    assertThat(store.asked()).containsExactly(QUESTION, QUESTION);
    assertReported("isLocked fail", "isLocked fail");
  }

  @Test
  void aClosedGateRefusesAll() {
    gate.close();

    Failure.of(Code.SERVICE_UNAVAILABLE, () -> operations.await(QUESTION, Call.plain()));
    Failure.of(Code.SERVICE_UNAVAILABLE, () -> operations.await(RELEASE, OF_RELEASE));
    Failure.of(Code.SERVICE_UNAVAILABLE, () -> join(operations.begin(QUESTION, Call.plain())));
    Failure.of(Code.SERVICE_UNAVAILABLE, () -> join(operations.begin(RELEASE, OF_RELEASE)));

    assertThat(store.asked()).isEmpty();
    assertReported(
        "isLocked fail SERVICE_UNAVAILABLE",
        "release fail SERVICE_UNAVAILABLE",
        "isLocked fail SERVICE_UNAVAILABLE",
        "release fail SERVICE_UNAVAILABLE");
  }

  @Test
  void aCancelledSignalRefuses() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();

    Failure.of(Code.ABORTED, () -> operations.await(QUESTION, Call.of(signal)));
    Failure.of(Code.ABORTED, () -> join(operations.begin(QUESTION, Call.of(signal))));

    assertThat(store.asked()).isEmpty();
    assertReported("isLocked fail ABORTED", "isLocked fail ABORTED");
  }

  @Test
  void anInterruptedThreadMayNotBlock() {
    Thread.currentThread().interrupt();
    Failure.of(Code.ABORTED, () -> operations.await(QUESTION, Call.plain()));
    assertThat(Thread.interrupted()).isTrue();

    assertThat(store.asked()).isEmpty();
    assertReported("isLocked fail ABORTED");
  }

  @Test
  void anInterruptedThreadMayBeginAnOperation() {
    Thread.currentThread().interrupt();
    assertThat(operations.begin(QUESTION, Call.plain())).isCompletedWithValue(false);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.asked()).containsExactly(QUESTION);
  }

  @Test
  void aReleasePassesInAnInterruptedThread() {
    Thread.currentThread().interrupt();
    assertThat(operations.await(RELEASE, OF_RELEASE)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(Thread.interrupted()).isTrue();

    assertThat(store.asked()).containsExactly(RELEASE);
    assertReported("release fail not-found");
  }

  @Test
  void anInterruptWhileTheStoreHasNotAnsweredLeavesTheOutcomeOpen() throws Exception {
    planted = new CompletableFuture<Boolean>();
    Thread blocked = Thread.currentThread();
    Thread interrupting =
        new Thread(
            () -> {
              while (blocked.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              blocked.interrupt();
            });
    interrupting.start();

    SyncGuardException failure =
        Failure.of(Code.ABORTED, () -> operations.await(QUESTION, Call.plain()));

    assertThat(Thread.interrupted()).isTrue();
    interrupting.join();
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertThat(failure.subject()).isEqualTo(QUESTION.subject());
  }

  @Test
  void aFailureIsThrownWithTheStackOfTheThreadThatBlocks() {
    SyncGuardException unreachable =
        SyncGuardException.withUnknownOutcome(
            Code.NETWORK_TIMEOUT, "planted", QUESTION.subject(), null);
    planted = CompletableFuture.failedFuture(unreachable);

    SyncGuardException failure =
        Failure.of(Code.NETWORK_TIMEOUT, () -> operations.await(QUESTION, Call.plain()));

    assertThat(failure).hasMessage("planted").hasCause(unreachable);
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertThat(failure.subject()).isEqualTo(QUESTION.subject());
    assertReported("isLocked fail NETWORK_TIMEOUT");
  }

  @Test
  void whatNoStoreShouldFailWithLeavesTheOutcomeOpen() {
    planted = CompletableFuture.failedFuture(new IllegalStateException("planted"));

    SyncGuardException failure =
        Failure.of(Code.INTERNAL, () -> operations.await(QUESTION, Call.plain()));

    assertThat(failure).hasRootCauseMessage("planted");
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertReported("isLocked fail INTERNAL");
  }

  @Test
  void aStoreThatThrowsFailsTheStageOfAnOperationThatIsBegun() {
    for (Throwable thrown :
        List.of(new IllegalStateException("planted"), new AssertionError("planted"))) {
      Operations failing = new Operations(new ThrowingStore(store, thrown), gate, reporting);

      assertThat(failing.begin(QUESTION, Call.plain()).handle((locked, failure) -> failure))
          .isCompletedWithValue(thrown);
      assertThat(catchThrowable(() -> failing.await(QUESTION, Call.plain()))).isSameAs(thrown);
    }
    assertReported(
        "isLocked fail INTERNAL",
        "isLocked fail INTERNAL",
        "isLocked fail INTERNAL",
        "isLocked fail INTERNAL");
  }

  @Test
  void onlyAnOperationThatIsBegunGoesToTheWorkersOfAStoreThatBlocks() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    Operations blocking = new Operations(new BlockingStore(store, tasks), gate, reporting);

    assertThat(blocking.await(QUESTION, Call.plain())).isFalse();
    assertThat(tasks).isEmpty();
    CompletionStage<Boolean> begun = blocking.begin(QUESTION, Call.plain());
    assertThat(begun).isNotCompleted();
    tasks.remove().run();

    assertThat(begun).isCompletedWithValue(false);
    assertReported("isLocked fail", "isLocked fail");
  }

  @Test
  void badArgumentsAreReportedAndThrown() {
    Subject about = Subject.ofLock(null, null);

    Failure.ofBadArgument(() -> operations.check(about, "acquire", () -> ResourceKey.of("")));
    assertThat(operations.check(about, "acquire", () -> KEY)).isEqualTo(KEY);

    assertReported("acquire fail INVALID_ARGUMENT");
  }

  @Test
  void anEntranceThatIsShutIsReported() {
    CancelSignal signal = CancelSignal.create();
    operations.pass(QUESTION.subject(), "acquire", signal::throwIfCancelled);
    signal.cancel();
    Failure.of(
        Code.ABORTED,
        () -> operations.pass(QUESTION.subject(), "acquire", signal::throwIfCancelled));

    assertReported("acquire fail ABORTED");
  }

  @Test
  void whatThereIsNothingToDoOnAnyMoreIsReportedWithItsReason() {
    operations.refused(RELEASE.subject(), "release", Reason.NOT_FOUND);

    OperationEvent refused = (OperationEvent) events.take();
    assertThat(RecordedEvents.text(refused)).isEqualTo("release fail not-found");
    assertThat(refused.subject().nameHash()).isEqualTo(KeyHash.of(KEY.value()));
    assertThat(refused.elapsed()).isZero();
    assertThat(refused.ids()).isEqualTo(1);
  }

  @Test
  void withoutTelemetryTheSameIsRefused() {
    Operations quiet = new Operations(store, gate, null);
    assertThat(quiet.await(QUESTION, Call.plain())).isFalse();
    Failure.ofBadArgument(
        () -> quiet.check(Subject.ofLock(null, null), "acquire", () -> ResourceKey.of("")));
    quiet.refused(RELEASE.subject(), "release", Reason.NOT_FOUND);
    gate.close();
    Failure.of(Code.SERVICE_UNAVAILABLE, () -> quiet.await(QUESTION, Call.plain()));
    Failure.of(Code.SERVICE_UNAVAILABLE, () -> join(quiet.begin(QUESTION, Call.plain())));

    assertThat(store.asked()).containsExactly(QUESTION);
  }

  private void assertReported(String... expected) {
    planted = CompletableFuture.completedFuture(false);
    OperationExecutor ending = new ReportingExecutor(store, reporting);
    assertThat(events.of(ending)).extracting(RecordedEvents::text).containsExactly(expected);
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }

  private record ThrowingStore(Store memory, Throwable failure) implements Store {

    @Override
    public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public LockBackend locks() {
      return memory.locks();
    }

    @Override
    public void close() {}
  }

  private record BlockingStore(Store memory, Queue<Runnable> tasks) implements Store {

    @Override
    public Optional<Workers> workers() {
      return Optional.of(
          new Workers() {
            @Override
            public void execute(Runnable task) {
              tasks.add(task);
            }

            @Override
            public Duration patience() {
              return Duration.ofHours(1);
            }
          });
    }

    @Override
    public LockBackend locks() {
      return memory.locks();
    }

    @Override
    public void close() {}
  }
}
