package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.ResourceKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ObservedAsyncLockBackendTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");

  private final RecordedEvents events = new RecordedEvents();
  private final SyncGuardException planted =
      new SyncGuardException(SyncGuardException.Code.RATE_LIMITED, "planted");

  @Test
  void aStageFailsWithWhatItFailsWithWithoutTelemetry() {
    LockBackend observed = Telemetry.to(events).observe(new FailingLockBackend(planted));

    assertThat(failureOf(observed)).isCompletedWithValueMatching(failure -> failure == planted);
  }

  @Test
  void aFailureThatTheStoreWrappedIsReportedByItsCode() {
    LockBackend observed =
        Telemetry.to(events).observe(new FailingLockBackend(new CompletionException(planted)));

    assertThat(failureOf(observed)).isCompleted();

    assertThat(events.take().errorCode()).isEqualTo(SyncGuardException.Code.RATE_LIMITED);
  }

  private static CompletableFuture<Throwable> failureOf(LockBackend observed) {
    return observed
        .async()
        .isLocked(KEY, CancelSignal.never())
        .handle((locked, failure) -> failure)
        .toCompletableFuture();
  }
}
