package io.syncguard.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskOptionsTest {

  private static final LockOptions DEFAULTS = LockOptions.defaults();

  @Test
  void aTasksLockIsExtendedForTenMinutesOrItsTtlUnlessSaidOtherwise() {
    Duration hour = Duration.ofHours(1);
    assertThat(extension(DEFAULTS)).contains(Duration.ofMinutes(10));
    assertThat(extension(DEFAULTS.withTtl(hour))).contains(hour);
    assertThat(extension(DEFAULTS.withAutoExtend(hour))).contains(hour);
    assertThat(extension(DEFAULTS.withFixedLease())).isEmpty();
  }

  private static Optional<Duration> extension(LockOptions options) {
    return LockEngine.forTask(options).autoExtend();
  }
}
