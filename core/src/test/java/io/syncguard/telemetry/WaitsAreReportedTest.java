package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.Failure;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockOptions;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every call of a verb that waits is reported once, with how the wait ended. */
@ParameterizedClass
@CsvSource({"LOCK, false", "LOCK, true", "SEMAPHORE, false", "SEMAPHORE, true"})
class WaitsAreReportedTest {

  private static final String NAME = "patient:4711";
  private static final Duration WAIT = Duration.ofSeconds(3);

  @Parameter(0)
  Primitive primitive;

  @Parameter(1)
  boolean asynchronous;

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private @Nullable SyncGuardException failure;
  private final AnsweringStore store = new AnsweringStore(time, this::failIfPlanted);
  private final SyncGuard guard =
      SyncGuard.over(
          store, GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events)));

  private @Nullable CompletionStage<?> failIfPlanted(Operation<?> operation) {
    boolean acquires =
        operation instanceof LockOperation.Acquire
            || operation instanceof SemaphoreOperation.Acquire;
    return failure != null && acquires ? CompletableFuture.failedFuture(failure) : null;
  }

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  void aWaitThatIsGrantedAtOnce() throws Exception {
    acquire(CancelSignal.never()).close();

    assertReported("ok after PT0S");
  }

  @Test
  void aWaitThatIsGrantedWhenTheHolderReleases() throws Exception {
    AutoCloseable held = acquire(CancelSignal.never());
    assertReported("ok after PT0S");
    time.schedule(() -> close(held), Duration.ofSeconds(1));

    acquire(CancelSignal.never());

    assertReported("ok after PT1S");
  }

  @Test
  void aWaitWhoseTimeIsOver() throws Exception {
    acquire(CancelSignal.never());
    assertReported("ok after PT0S");

    Failure.of(Code.ACQUISITION_TIMEOUT, () -> acquire(CancelSignal.never()));

    assertReported("fail ACQUISITION_TIMEOUT after PT3S");
  }

  @Test
  void aWaitThatIsCancelled() throws Exception {
    acquire(CancelSignal.never());
    assertReported("ok after PT0S");
    CancelSignal signal = CancelSignal.create();
    time.schedule(signal::cancel, Duration.ofSeconds(2));

    Failure.of(Code.ABORTED, () -> acquire(signal));

    assertReported("fail ABORTED after PT2S");
  }

  @Test
  void aWaitThatIsCancelledBeforeItBegins() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();

    Failure.of(Code.ABORTED, () -> acquire(signal));

    assertReported("fail ABORTED after PT0S");
  }

  @Test
  void aWaitThatTheClosingOfTheGuardEnds() throws Exception {
    acquire(CancelSignal.never());
    assertReported("ok after PT0S");
    time.schedule(guard::close, Duration.ofSeconds(1));

    Failure.of(Code.SERVICE_UNAVAILABLE, () -> acquire(CancelSignal.never()));

    assertThat(reported())
        .singleElement()
        .satisfies(event -> assertThat(event.errorCode()).isEqualTo(Code.SERVICE_UNAVAILABLE));
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTH_FAILED", "INTERNAL", "INVALID_ARGUMENT"})
  void aWaitThatTheStoreFailsForGood(Code code) {
    failure = new SyncGuardException(code, "planted");

    Failure.of(code, () -> acquire(CancelSignal.never()));

    assertReported("fail " + code + " after PT0S");
  }

  @Test
  void aWaitThatLastsUntilTheStoreIsBack() throws Exception {
    failure = new SyncGuardException(Code.SERVICE_UNAVAILABLE, "planted");
    time.schedule(() -> failure = null, Duration.ofSeconds(1));

    acquire(CancelSignal.never());

    assertThat(reported())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.result()).isEqualTo(Result.OK);
              assertThat(event.elapsed()).isBetween(Duration.ofSeconds(1), WAIT);
            });
  }

  @Test
  void itIsAboutTheNameAndNoId() throws Exception {
    acquire(CancelSignal.never());

    assertThat(reported())
        .extracting(WaitEvent::subject)
        .containsExactly(new EventSubject(primitive, KeyHash.of(NAME), null, null, null));
  }

  @Test
  void anAttemptThatDoesNotWaitIsNoWait() throws Exception {
    if (primitive == Primitive.LOCK) {
      guard.locks().tryLock(NAME).close();
      join(guard.locks().async().tryLock(NAME)).close();
    } else {
      guard.semaphore(NAME, 1).tryAcquire().orElseThrow().close();
      join(guard.semaphore(NAME, 1).async().tryAcquire()).orElseThrow().close();
    }

    assertThat(reported()).isEmpty();
  }

  /** Waits for the one lock or permit; asynchronously, the time is moved on until that is over. */
  private AutoCloseable acquire(CancelSignal signal) {
    if (!asynchronous) {
      return primitive == Primitive.LOCK
          ? guard.locks().cancelledBy(signal).lock(NAME, LockOptions.defaults().withMaxWait(WAIT))
          : guard.semaphore(NAME, 1).cancelledBy(signal).acquire(WAIT);
    }
    CompletableFuture<? extends AutoCloseable> waiting =
        (primitive == Primitive.LOCK
                ? guard
                    .locks()
                    .cancelledBy(signal)
                    .async()
                    .lock(NAME, LockOptions.defaults().withMaxWait(WAIT))
                : guard.semaphore(NAME, 1).cancelledBy(signal).async().acquire(WAIT))
            .toCompletableFuture();
    time.move(WAIT);
    return join(waiting);
  }

  private static void close(AutoCloseable held) {
    try {
      held.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void assertReported(String... expected) {
    assertThat(reported()).extracting(WaitsAreReportedTest::text).containsExactly(expected);
  }

  private List<WaitEvent> reported() {
    return events.of(guard, WaitEvent.class);
  }

  private static String text(WaitEvent event) {
    String code = event.errorCode() == null ? "" : " " + event.errorCode();
    return event.result().label() + code + " after " + event.elapsed();
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
