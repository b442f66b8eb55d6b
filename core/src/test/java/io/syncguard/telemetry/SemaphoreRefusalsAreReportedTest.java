package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.semaphore.AsyncFairSemaphore;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ends before the store is asked is reported too, with the reason or the code. */
class SemaphoreRefusalsAreReportedTest {

  private static final String NAME = "partner:4711";

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private final SyncGuard guard = open();
  private final FairSemaphore semaphore = guard.semaphore(NAME, 1);

  private SyncGuard open() {
    return SyncGuard.open(
        "memory:",
        GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events)));
  }

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  void whatAReleasedPermitRefuses() {
    Permit permit = semaphore.acquire();
    permit.release();
    permit.release();
    join(permit.releaseAsync());
    permit.close();

    assertReported("acquire ok", "release ok", "release fail not-found", "release fail not-found");
  }

  @Test
  void aRefusedReleaseHasTheHashesOfItsPermit() {
    Permit permit = semaphore.acquire();
    permit.release();
    permit.release();

    List<OperationEvent> reported = events.of(guard, OperationEvent.class);
    assertThat(reported.get(2).subject())
        .isEqualTo(reported.get(1).subject())
        .isEqualTo(
            new EventSubject(
                Primitive.SEMAPHORE,
                KeyHash.of(NAME),
                reported.get(0).subject().idHash(),
                null,
                null));
    assertThat(reported.get(2).ids()).isEqualTo(1);
  }

  @Test
  void aBadName() {
    for (String bad : List.of("", "x".repeat(513), "a\0b", "\ud800")) {
      fails(() -> guard.semaphores().stats(bad));

      assertReported("stats fail INVALID_ARGUMENT");
    }
  }

  @Test
  void aBadLimit() {
    fails(() -> semaphore.resize(0));
    fails(() -> join(semaphore.async().resize(0)));

    assertReported("resize fail INVALID_ARGUMENT", "resize fail INVALID_ARGUMENT");
  }

  @Test
  void aBadTimeToWait() {
    fails(() -> semaphore.acquire(Duration.ofNanos(-1)));
    fails(() -> join(semaphore.async().acquire(Duration.ofNanos(-1))));

    assertReported("acquire fail INVALID_ARGUMENT", "acquire fail INVALID_ARGUMENT");
  }

  @Test
  void aSignalThatIsCancelled() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    FairSemaphore cancelled = semaphore.cancelledBy(signal);
    fails(cancelled::tryAcquire);
    fails(cancelled::acquire);
    fails(cancelled::isLocked);
    fails(cancelled::stats);
    fails(() -> cancelled.resize(2));
    AsyncFairSemaphore async = cancelled.async();
    fails(() -> join(async.tryAcquire()));
    fails(() -> join(async.acquire()));
    fails(() -> join(async.isLocked()));
    fails(() -> join(async.stats()));
    fails(() -> join(async.resize(2)));

    assertReported(
        "acquire fail ABORTED",
        "acquire fail ABORTED",
        "stats fail ABORTED",
        "stats fail ABORTED",
        "resize fail ABORTED",
        "acquire fail ABORTED",
        "acquire fail ABORTED",
        "stats fail ABORTED",
        "stats fail ABORTED",
        "resize fail ABORTED");
  }

  @Test
  void anInterruptedThread() {
    Thread.currentThread().interrupt();
    fails(semaphore::tryAcquire);
    fails(semaphore::acquire);
    fails(semaphore::stats);
    assertThat(Thread.interrupted()).isTrue();

    assertReported("acquire fail ABORTED", "acquire fail ABORTED", "stats fail ABORTED");
  }

  @Test
  void aWaitThatIsCancelled() {
    semaphore.acquire();
    CancelSignal signal = CancelSignal.create();
    CompletionStage<Permit> waiting = semaphore.cancelledBy(signal).async().acquire();
    signal.cancel();
    fails(() -> join(waiting));

    assertReported("acquire ok", "acquire fail queued", "acquire fail ABORTED", "release ok");
  }

  @Test
  void aClosedGuard() {
    SyncGuard closed = open();
    FairSemaphore useless = closed.semaphore(NAME, 1);
    Permit permit = useless.acquire();
    permit.release();
    closed.close();
    fails(useless::tryAcquire);
    fails(useless::acquire);
    fails(useless::stats);
    fails(() -> useless.resize(2));
    fails(() -> closed.semaphores().stats());
    fails(() -> join(useless.async().tryAcquire()));
    fails(() -> join(useless.async().acquire()));
    fails(() -> join(useless.async().stats()));
    fails(() -> join(useless.async().resize(2)));
    fails(() -> join(closed.semaphores().statsAsync()));

    assertThat(reported(closed))
        .containsExactly(
            "acquire ok",
            "release ok",
            "acquire fail SERVICE_UNAVAILABLE",
            "acquire fail SERVICE_UNAVAILABLE",
            "stats fail SERVICE_UNAVAILABLE",
            "resize fail SERVICE_UNAVAILABLE",
            "stats fail SERVICE_UNAVAILABLE",
            "acquire fail SERVICE_UNAVAILABLE",
            "acquire fail SERVICE_UNAVAILABLE",
            "stats fail SERVICE_UNAVAILABLE",
            "resize fail SERVICE_UNAVAILABLE",
            "stats fail SERVICE_UNAVAILABLE");
  }

  private static void fails(Runnable operation) {
    assertThatExceptionOfType(SyncGuardException.class).isThrownBy(operation::run);
  }

  private void assertReported(String... expected) {
    assertThat(reported(guard)).containsExactly(expected);
  }

  private List<String> reported(SyncGuard reporting) {
    return events.of(reporting, OperationEvent.class).stream().map(RecordedEvents::text).toList();
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
