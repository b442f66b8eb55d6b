package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreClockTest {

  private final HandMovedTime time = new HandMovedTime();
  private final StoreClock clock = new StoreClock(time);
  private final long openedAt = time.currentTimeMillis();

  @Test
  void theClockBeginsWithTheWallTime() {
    assertThat(clock.nowMs()).isEqualTo(openedAt);
  }

  @Test
  void theClockMovesInWholeMilliseconds() {
    time.move(Duration.ofNanos(1_999_999));
    assertThat(clock.nowMs()).isEqualTo(openedAt + 1);

    time.move(Duration.ofNanos(1));
    assertThat(clock.nowMs()).isEqualTo(openedAt + 2);
  }

  @Test
  void settingTheWallClockFreesNoLockAndKeepsNone() {
    time.setWallClock(Duration.ofDays(1));
    assertThat(clock.nowMs()).isEqualTo(openedAt);

    time.setWallClock(Duration.ofDays(-2));
    assertThat(clock.nowMs()).isEqualTo(openedAt);
  }
}
