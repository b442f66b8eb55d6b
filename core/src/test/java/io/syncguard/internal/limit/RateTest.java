package io.syncguard.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RateTest {

  private static final ResourceKey NAME = ResourceKey.of("name");
  private static final Duration LONGEST_BURST = LimitOperation.Take.LONGEST_BURST;
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void anIntervalIsRoundedUpSoThatTheRateIsNeverExceeded() {
    LimitOperation.Take take = new Rate(NAME, 3, SECOND, 5).take(2);
    assertThat(take.cost()).isEqualTo(Duration.ofNanos(2 * 333_333_334L));
    assertThat(take.burst()).isEqualTo(Duration.ofNanos(5 * 333_333_334L));
    assertThat(new Rate(NAME, 1000, SECOND, 1).take(1).cost()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void theFastestAndTheLongestAreExact() {
    assertThat(new Rate(NAME, 1_000_000, SECOND, 1).take(1).cost())
        .isEqualTo(Duration.ofNanos(1000));
    assertThat(new Rate(NAME, 1, LONGEST_BURST, 1).take(1).burst()).isEqualTo(LONGEST_BURST);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertRefused(0, SECOND, 1);
    assertRefused(-1, SECOND, 1);
    assertRefused(1, Duration.ZERO, 1);
    assertRefused(1, SECOND.negated(), 1);
    assertRefused(1, SECOND, 0);
    assertRefused(1_000_001, SECOND, 1);
    assertRefused(Long.MAX_VALUE, SECOND, 1);
    assertRefused(1, SECOND, Long.MAX_VALUE);
    assertRefused(1, LONGEST_BURST.plusNanos(1), 1);
    assertRefused(1, Duration.ofSeconds(Long.MAX_VALUE), 1);
    assertRefused(2, Call.UNLIMITED, 1);
    assertRefused(1, null, 1);
  }

  private static void assertRefused(long permits, @Nullable Duration per, long burst) {
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> new Rate(NAME, permits, per, burst))
        .matches(e -> e.code() == SyncGuardException.Code.INVALID_ARGUMENT);
  }
}
