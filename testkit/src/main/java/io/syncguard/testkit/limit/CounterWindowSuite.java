package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterResult.Counted;
import io.syncguard.counter.CounterState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The window begins with the first hit, and its end does not move. */
public interface CounterWindowSuite extends LimitSuite {

  @Test
  default void laterHitsDoNotMoveTheEndWhateverWindowTheyNameThemselves() throws Exception {
    String key = newName();
    Instant end = counters().increment(key, 2, LONG).resetAt();
    fixture().passTime(Duration.ofMillis(20));
    assertThat(counters().increment(key, 2, LONG.multipliedBy(5)).resetAt()).isEqualTo(end);
    assertThat(counters().increment(key, 2, Duration.ofMillis(1)).resetAt()).isEqualTo(end);
    assertThat(otherCounters().current(key)).contains(new CounterState(2, end));
  }

  @Test
  default void afterTheWindowCountingBeginsAnew() throws Exception {
    String key = newName();
    Duration window = Duration.ofMillis(300);
    CounterResult first = counters().increment(key, 1, window);
    assertThat(first.isCounted()).isTrue();
    fixture().passTime(window);
    eventually(() -> assertThat(otherCounters().current(key)).isEmpty());
    assertThat(counters().reset(key)).isFalse();

    CounterResult next = otherCounters().increment(key, 1, LONG);
    assertThat(next).isEqualTo(new Counted(1, 0, next.resetAt()));
    assertThat(next.resetAt()).isAfterOrEqualTo(first.resetAt().plus(LONG));
  }

  @Test
  default void whoWasRefusedMayComeAgainAfterTheWindow() throws Exception {
    String key = newName();
    Duration window = Duration.ofMillis(300);
    counters().increment(key, 1, window);
    counters().increment(key, 1, window);
    fixture().passTime(window);
    eventually(() -> assertThat(counters().increment(key, 1, LONG).isCounted()).isTrue());
    assertThat(counters().increment(key, 1, LONG).isCounted()).isFalse();
  }
}
