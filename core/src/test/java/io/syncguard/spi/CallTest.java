package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CallTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void aPlainCallIsUnlimited() {
    assertThat(Call.plain().timeLeft()).isEqualTo(Call.UNLIMITED);
    assertThat(Call.plain().signal()).isSameAs(CancelSignal.never());
    assertThat(Call.plain().isInterruptible()).isTrue();
    assertThat(Call.of(CancelSignal.never())).isSameAs(Call.plain());
  }

  @Test
  void aLongerTimeThanTheOneLeftChangesNothing() {
    Call call = Call.plain().within(MINUTE);
    assertThat(call.within(HOUR)).isSameAs(call);
    assertThat(call.within(Call.UNLIMITED)).isSameAs(call);
    assertThat(Call.plain().within(Call.UNLIMITED)).isSameAs(Call.plain());
  }

  @Test
  void aShorterTimeThanTheOneLeftCounts() {
    assertThat(Call.plain().within(HOUR).within(MINUTE).timeLeft()).isLessThanOrEqualTo(MINUTE);
  }

  @Test
  void theTimeLeftShrinksAndIsNeverNegative() {
    Call call = Call.plain().within(HOUR);
    assertThat(call.timeLeft()).isBetween(HOUR.minus(MINUTE), HOUR);
    Awaitility.await().until(() -> call.timeLeft().compareTo(HOUR) < 0);

    Call over = Call.plain().within(Duration.ofNanos(1));
    Awaitility.await().until(() -> over.timeLeft().isZero());
    assertThat(over.timeLeft()).isZero();
  }

  @Test
  void theTimeLeftIsAtMostTheUsualTime() {
    assertThat(Call.plain().timeLeft(HOUR)).isEqualTo(HOUR);
    assertThat(Call.plain().within(HOUR).timeLeft(MINUTE)).isEqualTo(MINUTE);
    assertThat(Call.plain().within(MINUTE).timeLeft(HOUR)).isLessThanOrEqualTo(MINUTE);
  }

  @Test
  void aCallKeepsWhatCallsItOffWhenItsTimeIsLimited() {
    CancelSignal signal = CancelSignal.create();
    assertThat(Call.of(signal).within(MINUTE).signal()).isSameAs(signal);
    assertThat(Call.of(signal).within(MINUTE).isInterruptible()).isTrue();
  }

  @Test
  void onlyItsTimeEndsARelease() {
    Call release = Call.ofRelease(MINUTE);
    assertThat(release.isInterruptible()).isFalse();
    assertThat(release.signal()).isSameAs(CancelSignal.never());
    assertThat(release.timeLeft()).isBetween(Duration.ofSeconds(1), MINUTE);
    assertThat(release.within(Duration.ofSeconds(1)).isInterruptible()).isFalse();
  }
}
