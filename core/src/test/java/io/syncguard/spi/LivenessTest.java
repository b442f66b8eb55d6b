package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LivenessTest {

  private static final long EXPIRES_AT = 1_700_000_000_000L;

  @Test
  void theToleranceIsASecond() {
    assertThat(Liveness.TOLERANCE_MS).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource({
    "-30000, true, 31000",
    "-1, true, 1001",
    "0, true, 1000",
    "1, true, 999",
    "999, true, 1",
    "1000, false, 0",
    "1001, false, 0",
    "100000, false, 0"
  })
  void aLockLivesUntilTheToleranceAfterItsExpiryIsOver(
      long msAfterExpiry, boolean live, long remainingMs) {
    long now = EXPIRES_AT + msAfterExpiry;

    assertThat(Liveness.isLive(EXPIRES_AT, now)).isEqualTo(live);
    assertThat(Liveness.remaining(EXPIRES_AT, now)).isEqualTo(Duration.ofMillis(remainingMs));
  }

  @Test
  void aLockIsDeadExactlyWhenTheTimeItHadLeftIsOver() {
    for (long now = EXPIRES_AT - 2000; now < EXPIRES_AT + 2000; now++) {
      long remaining = Liveness.remaining(EXPIRES_AT, now).toMillis();

      assertThat(Liveness.isLive(EXPIRES_AT, now)).isEqualTo(remaining > 0);
      assertThat(Liveness.isLive(EXPIRES_AT, now + remaining)).isFalse();
    }
  }
}
