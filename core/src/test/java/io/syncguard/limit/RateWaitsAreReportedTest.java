package io.syncguard.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.Failure;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.telemetry.Event;
import io.syncguard.telemetry.EventSubject;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.WaitEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call of acquire is reported once, with how the wait ended. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class RateWaitsAreReportedTest {

  private static final String NAME = "partner:4711";
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration WAIT = Duration.ofSeconds(3);

  @Parameter boolean asynchronous;

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private @Nullable CompletionStage<RateDecision> planted;
  private final AnsweringStore store = new AnsweringStore(time, this::planted);
  private final SyncGuard guard =
      SyncGuard.over(
          store, GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events)));

  private @Nullable CompletionStage<?> planted(Operation<?> operation) {
    return operation instanceof LimitOperation.Take ? planted : null;
  }

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  void aWaitThatIsAllowedAtOnce() {
    acquire(CancelSignal.never());

    assertReported("acquire ok", "wait ok after PT0S");
  }

  @Test
  void aWaitThatIsAllowedInTime() {
    use();
    acquire(CancelSignal.never());

    assertReported("acquire fail limited", "acquire ok", "wait ok after PT1S");
  }

  @Test
  void aWaitThatWouldBeTooLong() {
    use();
    Failure.of(
        Code.ACQUISITION_TIMEOUT, () -> acquire(Duration.ofMillis(999), CancelSignal.never()));

    assertReported("acquire fail limited", "wait fail ACQUISITION_TIMEOUT after PT0S");
  }

  @Test
  void aWaitThatIsCancelled() {
    use();
    CancelSignal signal = CancelSignal.create();
    time.schedule(signal::cancel, Duration.ofMillis(500));

    Failure.of(Code.ABORTED, () -> acquire(signal));

    assertReported(
        "acquire fail limited", "acquire fail ABORTED", "wait fail ABORTED after PT0.5S");
  }

  @Test
  void aWaitThatIsCancelledBeforeItBegins() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();

    Failure.of(Code.ABORTED, () -> acquire(signal));

    assertReported("acquire fail ABORTED", "wait fail ABORTED after PT0S");
    assertThat(store.asked()).noneMatch(operation -> operation instanceof LimitOperation.Take);
  }

  @Test
  void aWaitThatTheClosingOfTheGuardEnds() {
    use();
    time.schedule(guard::close, Duration.ofMillis(500));

    Failure.of(Code.SERVICE_UNAVAILABLE, () -> acquire(CancelSignal.never()));

    assertReported(
        "acquire fail limited",
        "acquire fail SERVICE_UNAVAILABLE",
        "wait fail SERVICE_UNAVAILABLE after PT0.5S");
  }

  @Test
  void aWaitThatTheStoreFails() {
    planted = CompletableFuture.failedFuture(new SyncGuardException(Code.AUTH_FAILED, "planted"));

    Failure.of(Code.AUTH_FAILED, () -> acquire(CancelSignal.never()));

    assertReported("acquire fail AUTH_FAILED", "wait fail AUTH_FAILED after PT0S");
  }

  @Test
  void aFutureThatIsCancelledEndsItsWaitAtOnceAndLeavesNoTimer() {
    use();
    CompletableFuture<?> waiting =
        guard.rateLimiter(NAME, 1, SECOND, 1).async().acquire(WAIT).toCompletableFuture();
    waiting.cancel(false);

    assertReported("acquire fail limited", "wait fail ABORTED after PT0S");
    time.move(WAIT);
    assertReported();
  }

  @Test
  void aSignalEndsAWaitWhoseStoreDoesNotAnswer() {
    planted = new CompletableFuture<>();
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<?> waiting =
        guard
            .rateLimiter(NAME, 1, SECOND, 1)
            .cancelledBy(signal)
            .async()
            .acquire(WAIT)
            .toCompletableFuture();
    signal.cancel();

    Failure.of(Code.ABORTED, () -> join(waiting));
    assertReported("wait fail ABORTED after PT0S");
  }

  @Test
  void itIsAboutTheNameAndNoId() {
    acquire(CancelSignal.never());

    assertThat(events.of(guard, WaitEvent.class))
        .extracting(WaitEvent::subject)
        .containsExactly(
            new EventSubject(Primitive.RATE_LIMITER, KeyHash.of(NAME), null, null, null));
  }

  @Test
  void anAttemptThatDoesNotWaitIsNoWait() {
    RateLimiter limiter = guard.rateLimiter(NAME, 1, SECOND, 1);
    limiter.tryAcquire();
    join(limiter.async().tryAcquire());

    assertReported("acquire ok", "acquire fail limited");
  }

  /** Has the next permit come in a second. */
  private void use() {
    guard.rateLimiter(NAME, 1, SECOND, 1).tryAcquire();
    assertReported("acquire ok");
  }

  private void acquire(CancelSignal signal) {
    acquire(WAIT, signal);
  }

  /** Waits for one permit; asynchronously, the time is moved on until that is over. */
  private void acquire(Duration maxWait, CancelSignal signal) {
    RateLimiter limiter = guard.rateLimiter(NAME, 1, SECOND, 1).cancelledBy(signal);
    if (asynchronous) {
      CompletionStage<RateDecision.Allowed> waiting = limiter.async().acquire(maxWait);
      time.move(maxWait);
      join(waiting);
    } else {
      limiter.acquire(maxWait);
    }
  }

  private void assertReported(String... expected) {
    assertThat(events.of(guard, Event.class))
        .extracting(RateWaitsAreReportedTest::text)
        .containsExactly(expected);
  }

  private static String text(Event event) {
    if (event instanceof OperationEvent operation) {
      return RecordedEvents.text(operation);
    }
    WaitEvent wait = (WaitEvent) event;
    String code = wait.errorCode() == null ? "" : " " + wait.errorCode();
    return "wait " + wait.result().label() + code + " after " + wait.elapsed();
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
