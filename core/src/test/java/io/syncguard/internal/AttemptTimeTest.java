package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.Call;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptTimeTest {

  private static final Duration WAIT = Duration.ofSeconds(5);

  @Test
  void anAttemptHasWhatIsLeftOfTheWait() {
    assertThat(AttemptTime.within(WAIT, Duration.ofSeconds(3).toNanos())).hasSeconds(3);
  }

  @Test
  void theLastAttemptOfAWaitHasAMomentToBeAnswered() {
    assertThat(AttemptTime.within(WAIT, -1)).isPositive().isLessThan(WAIT);
  }

  @Test
  void onlyTheStoreLimitsASingleAttempt() {
    assertThat(AttemptTime.within(Duration.ZERO, -1)).isEqualTo(Call.UNLIMITED);
  }
}
