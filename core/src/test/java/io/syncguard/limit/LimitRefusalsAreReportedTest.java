package io.syncguard.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.CancelSignal;
import io.syncguard.Failure;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.counter.Counters;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.telemetry.EventSubject;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ends before the store is asked is reported too, with the code. */
class LimitRefusalsAreReportedTest {

  private static final String NAME = "partner:4711";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RecordedEvents events = new RecordedEvents();
  private final SyncGuard guard =
      SyncGuard.open(
          "memory:",
          GuardOptions.defaults()
              .withTimeSource(new HandMovedTime())
              .withTelemetry(Telemetry.to(events)));
  private final Counters counters = guard.counters();
  private final RateLimiter limiter = guard.rateLimiter(NAME, 1, MINUTE, 2);

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  @SuppressWarnings("NullAway")
  void aBadKeyOfACounter() {
    for (String bad : new String[] {"", "x".repeat(513), "a\0b", "\ud800", null}) {
      refused(() -> counters.increment(bad, 1, MINUTE));
      refused(() -> counters.current(bad));
      refused(() -> counters.reset(bad));
      refused(() -> join(counters.async().increment(bad, 1, MINUTE)));
      refused(() -> join(counters.async().current(bad)));
      refused(() -> join(counters.async().reset(bad)));

      assertReported(
          "increment fail INVALID_ARGUMENT",
          "current fail INVALID_ARGUMENT",
          "reset fail INVALID_ARGUMENT",
          "increment fail INVALID_ARGUMENT",
          "current fail INVALID_ARGUMENT",
          "reset fail INVALID_ARGUMENT");
    }
  }

  @Test
  @SuppressWarnings("NullAway")
  void aCounterThatCannotBe() {
    refused(() -> counters.increment(NAME, 0, MINUTE));
    refused(() -> counters.increment(NAME, Counters.MOST + 1, MINUTE));
    refused(() -> counters.increment(NAME, 1, Duration.ZERO));
    refused(() -> counters.increment(NAME, 1, null));

    assertThat(events.of(guard, OperationEvent.class))
        .hasSize(4)
        .allMatch(event -> RecordedEvents.text(event).equals("increment fail INVALID_ARGUMENT"))
        .allMatch(event -> event.subject().equals(about(Primitive.COUNTER)));
  }

  @Test
  @SuppressWarnings("NullAway")
  void permitsOrAWaitThatCannotBe() {
    refused(() -> limiter.tryAcquire(0));
    refused(() -> limiter.tryAcquire(3));
    refused(() -> limiter.acquire(3, MINUTE));
    refused(() -> limiter.acquire(Duration.ofNanos(-1)));
    refused(() -> limiter.acquire(null));
    refused(() -> join(limiter.async().tryAcquire(3)));
    refused(() -> join(limiter.async().acquire(3, MINUTE)));
    refused(() -> join(limiter.async().acquire(null)));

    assertThat(events.of(guard, OperationEvent.class))
        .hasSize(8)
        .allMatch(event -> RecordedEvents.text(event).equals("acquire fail INVALID_ARGUMENT"))
        .allMatch(event -> event.subject().equals(about(Primitive.RATE_LIMITER)));
  }

  @Test
  void aSignalThatIsCancelled() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();

    useAll(counters.cancelledBy(signal), limiter.cancelledBy(signal));

    assertUseReported("ABORTED");
  }

  @Test
  void aClosedGuard() {
    guard.close();

    useAll(counters, limiter);

    assertUseReported("SERVICE_UNAVAILABLE");
  }

  @Test
  void anInterruptedThread() {
    Thread.currentThread().interrupt();
    fails(() -> counters.current(NAME));
    fails(limiter::tryAcquire);
    fails(() -> limiter.acquire(MINUTE));
    assertThat(Thread.interrupted()).isTrue();

    assertReported("current fail ABORTED", "acquire fail ABORTED", "acquire fail ABORTED");
  }

  private void useAll(Counters refusing, RateLimiter refusingLimiter) {
    fails(() -> refusing.increment(NAME, 1, MINUTE));
    fails(() -> refusing.current(NAME));
    fails(() -> refusing.reset(NAME));
    fails(() -> join(refusing.async().increment(NAME, 1, MINUTE)));
    fails(refusingLimiter::tryAcquire);
    fails(() -> refusingLimiter.acquire(MINUTE));
    fails(() -> join(refusingLimiter.async().tryAcquire()));
    fails(() -> join(refusingLimiter.async().acquire(MINUTE)));
  }

  private void assertUseReported(String code) {
    assertReported(
        "increment fail " + code,
        "current fail " + code,
        "reset fail " + code,
        "increment fail " + code,
        "acquire fail " + code,
        "acquire fail " + code,
        "acquire fail " + code,
        "acquire fail " + code);
  }

  private void assertReported(String... expected) {
    assertThat(reported()).containsExactly(expected);
  }

  private List<String> reported() {
    return events.of(guard, OperationEvent.class).stream().map(RecordedEvents::text).toList();
  }

  private static EventSubject about(Primitive primitive) {
    return new EventSubject(primitive, KeyHash.of(NAME), null, null, null);
  }

  private static void refused(Runnable operation) {
    Failure.ofBadArgument(operation::run);
  }

  private static void fails(Runnable operation) {
    assertThatExceptionOfType(SyncGuardException.class).isThrownBy(operation::run);
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
