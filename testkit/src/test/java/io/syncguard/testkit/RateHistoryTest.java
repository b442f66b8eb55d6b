package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.testkit.history.RateHistory;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the checker of limiters' histories finds. */
class RateHistoryTest {

  private static final Duration INTERVAL = Duration.ofMillis(1);

  private final RateHistory history = new RateHistory();

  @Test
  void aBurstAndOneAnIntervalIsRight() {
    for (int i = 0; i < 5; i++) {
      allowAt(0);
    }
    for (int i = 1; i < 1000; i++) {
      allowAt(i * 1_000_000L);
    }
    assertThatCode(() -> history.check(INTERVAL, 5)).doesNotThrowAnyException();
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> history.check(INTERVAL, 4));
  }

  @Test
  void oneTooManyIsFoundWhereverItIs() {
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      allowAt(i * 1_000_000L);
    }
    history.check(INTERVAL, 1);
    allowAt(random.nextInt(999) * 1_000_000L + 500_000);
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> history.check(INTERVAL, 1));
  }

  @Test
  void aRateThatIsALittleTooFastIsFoundInTheLongRun() {
    for (int i = 0; i < 2000; i++) {
      allowAt(i * 999_000L);
    }
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> history.check(INTERVAL, 1));
  }

  @Test
  void aDecisionThatMayHaveBeenOutsideAWindowDoesNotCountForIt() {
    history.allowed(0, 5_000_000);
    history.allowed(4_000_000, 4_000_000);
    history.allowed(4_500_000, 9_000_000);
    assertThatCode(() -> history.check(INTERVAL, 1)).doesNotThrowAnyException();
  }

  private void allowAt(long nanos) {
    history.allowed(nanos, nanos);
  }
}
