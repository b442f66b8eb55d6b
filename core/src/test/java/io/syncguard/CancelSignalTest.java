package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CancelSignalTest {

  private final CancelSignal signal = CancelSignal.create();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void aNewSignalIsNotCancelled() {
    assertThat(signal.isCancelled()).isFalse();
    assertThatCode(signal::throwIfCancelled).doesNotThrowAnyException();
  }

  @Test
  void aCancelledSignalFailsWithAborted() {
    signal.cancel();

    assertThat(signal.isCancelled()).isTrue();
    Failure.of(SyncGuardException.Code.ABORTED, signal::throwIfCancelled);
  }

  @Test
  void anActionRunsInTheThreadThatCancels() {
    AtomicReference<Thread> ranIn = new AtomicReference<>();
    signal.onCancel(() -> ranIn.set(Thread.currentThread()));
    assertThat(ranIn).hasNullValue();

    signal.cancel();

    assertThat(ranIn).hasValue(Thread.currentThread());
  }

  @Test
  void theSignalIsCancelledBeforeItsActionsRun() {
    AtomicReference<Boolean> seen = new AtomicReference<>();
    signal.onCancel(() -> seen.set(signal.isCancelled()));

    signal.cancel();

    assertThat(seen).hasValue(true);
  }

  @Test
  void cancellingTwiceRunsAnActionOnce() {
    signal.onCancel(runs::incrementAndGet);

    signal.cancel();
    signal.cancel();

    assertThat(runs).hasValue(1);
  }

  @Test
  void anActionRegisteredTooLateRunsAtOnce() {
    signal.cancel();

    signal.onCancel(runs::incrementAndGet);

    assertThat(runs).hasValue(1);
  }

  @Test
  void aClosedRegistrationIsForgotten() {
    CancelSignal.Registration registration = signal.onCancel(runs::incrementAndGet);
    registration.close();
    registration.close();

    signal.cancel();

    assertThat(runs).hasValue(0);
  }

  @Test
  void closingOneRegistrationLeavesAnotherOfTheSameAction() {
    Runnable action = runs::incrementAndGet;
    signal.onCancel(action).close();
    signal.onCancel(action);

    signal.cancel();

    assertThat(runs).hasValue(1);
  }

  @Test
  void anActionMayCloseItsOwnRegistrationAndMakeAnother() {
    AtomicReference<CancelSignal.Registration> own = new AtomicReference<>();
    own.set(
        signal.onCancel(
            () -> {
              own.get().close();
              signal.onCancel(runs::incrementAndGet);
            }));

    signal.cancel();

    assertThat(runs).hasValue(1);
  }

  @Test
  void aThrowingActionStopsNeitherTheOthersNorTheCancelling() {
    try (CapturedLog log = CapturedLog.open()) {
      signal.onCancel(runs::incrementAndGet);
      signal.onCancel(
          () -> {
            throw new IllegalStateException("planted");
          });
      signal.onCancel(runs::incrementAndGet);

      signal.cancel();

      assertThat(runs).hasValue(2);
      assertThat(log.text()).contains("CancelSignal failed", "planted");
    }
  }

  @Test
  void neverIsNeverCancelled() {
    CancelSignal never = CancelSignal.never();
    CancelSignal.Registration registration = never.onCancel(runs::incrementAndGet);

    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(never::cancel);

    assertThat(never.isCancelled()).isFalse();
    assertThat(runs).hasValue(0);
    assertThatCode(registration::close).doesNotThrowAnyException();
  }
}
