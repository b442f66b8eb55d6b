package io.syncguard.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.operation.Answers;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An operation that fails is reported, and fails as it would without telemetry. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class FailuresAreReportedTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final LockId LOCK_ID = LockId.random();
  private static final LockReference LOCK = new LockReference(LOCK_ID, KEY);
  private static final LockOperation.Acquire ACQUIRE =
      new LockOperation.Acquire(KEY, LOCK_ID, TTL, false);

  @Parameter boolean asynchronous;

  private final RecordedEvents events = new RecordedEvents();

  @Test
  void everyOperationThatFailsIsReportedOnce() {
    SyncGuardException planted = new SyncGuardException(Code.AUTH_FAILED, "planted");
    List<LockOperation<?>> operations =
        List.of(
            ACQUIRE,
            new LockOperation.Release(LOCK),
            new LockOperation.KeepWaiting(List.of(LOCK)),
            new LockOperation.Extend(LOCK, TTL),
            new LockOperation.IsLocked(KEY),
            new LockOperation.FindByKey(KEY),
            new LockOperation.FindById(LOCK_ID));

    OperationExecutor failing = failing(planted);

    assertThat(operations)
        .allSatisfy(operation -> assertThat(failureOf(failing, operation)).isSameAs(planted));

    List<OperationEvent> reported = Stream.generate(this::take).limit(7).toList();
    assertThat(reported)
        .extracting(OperationEvent::operation)
        .containsExactly(
            "acquire", "release", "keepWaiting", "extend", "isLocked", "lookup", "lookup");
    assertThat(reported)
        .extracting(RecordedEvents::text)
        .allMatch(text -> text.endsWith(" fail AUTH_FAILED"));
    assertThat(reported).extracting(OperationEvent::reason).containsOnlyNulls();
  }

  @ParameterizedTest
  @EnumSource
  void theCodeOfTheFailureIsReported(Code code) {
    assertThat(reportOf(new SyncGuardException(code, "planted")).errorCode()).isEqualTo(code);
  }

  static Stream<Throwable> unexpected() {
    return Stream.of(new IllegalStateException("planted"), new AssertionError("planted"));
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void whatNoStoreShouldFailWithIsReportedAsInternal(Throwable planted) {
    assertThat(reportOf(planted).errorCode()).isEqualTo(Code.INTERNAL);
  }

  @Test
  void aFailureThatTheStoreWrappedIsReportedByItsCode() {
    SyncGuardException planted = new SyncGuardException(Code.RATE_LIMITED, "planted");
    assertThat(reportOf(new CompletionException(planted)).errorCode()).isEqualTo(Code.RATE_LIMITED);
  }

  @Test
  void aCancelledStageIsReportedAsAborted() {
    assertThat(reportOf(new CancellationException("planted")).errorCode()).isEqualTo(Code.ABORTED);
  }

  /** Blocks for a failure, with a store that throws; or else takes it from the stage. */
  private Throwable failureOf(OperationExecutor observed, Operation<?> operation) {
    if (!asynchronous) {
      return catchThrowable(
          () -> Answers.await(observed.execute(operation, Call.plain()), Subject.NONE));
    }
    return observed
        .execute(operation, Call.plain())
        .handle((answer, failure) -> failure)
        .toCompletableFuture()
        .join();
  }

  private OperationEvent reportOf(Throwable planted) {
    assertThat(failureOf(failing(planted), new LockOperation.IsLocked(KEY))).isSameAs(planted);
    return take();
  }

  private OperationEvent take() {
    return (OperationEvent) events.take();
  }

  private OperationExecutor failing(Throwable planted) {
    OperationExecutor store =
        new OperationExecutor() {
          @Override
          public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
            if (!asynchronous && planted instanceof RuntimeException unchecked) {
              throw unchecked;
            }
            if (!asynchronous && planted instanceof Error error) {
              throw error;
            }
            return CompletableFuture.failedFuture(planted);
          }
        };
    return new ReportingExecutor(store, new Events(Telemetry.to(events)));
  }
}
