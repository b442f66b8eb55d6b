package io.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockOptionsTest {

  private static final LockOptions DEFAULTS = LockOptions.defaults();

  @Test
  void theDefaultsAreThoseOfTheSpecification() {
    assertThat(DEFAULTS.ttl()).isEqualTo(Duration.ofSeconds(30));
    assertThat(DEFAULTS.maxWait()).isEqualTo(Duration.ofSeconds(5));
    assertThat(DEFAULTS.retry()).isEqualTo(RetryPolicy.defaults());
    assertThat(DEFAULTS.autoExtend()).isEmpty();
    assertThat(DEFAULTS.isFixedLease()).isFalse();
    assertThat(DEFAULTS.interruptOnLoss()).isFalse();
    assertThat(DEFAULTS.onReleaseError()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PT0S",
        "PT-1S",
        "PT0.000000001S",
        "PT0.000999999S",
        "PT876600H0.000000001S",
        "PT2562047788015215H30M7.999999999S",
        "PT-2562047788015215H-30M-8S"
      })
  void aLifetimeBelowAMillisecondOrAbove100YearsIsRefused(Duration lifetime) {
    Failure.ofBadArgument(() -> DEFAULTS.withTtl(lifetime));
    Failure.ofBadArgument(() -> DEFAULTS.withAutoExtend(lifetime));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.001S, PT0.001S",
    "PT0.001999999S, PT0.001S",
    "PT30.0005S, PT30S",
    "PT876600H, PT876600H"
  })
  void aLifetimeIsCutToWholeMilliseconds(Duration asked, Duration given) {
    assertThat(DEFAULTS.withTtl(asked).ttl()).isEqualTo(given);
    assertThat(DEFAULTS.withAutoExtend(asked).autoExtend()).contains(given);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-0.000000001S", "PT-5S"})
  void aNegativeTimeoutIsRefused(Duration timeout) {
    Failure.ofBadArgument(() -> DEFAULTS.withMaxWait(timeout));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.000000001S", "PT2562047788015215H30M7S"})
  void anyOtherTimeoutIsTaken(Duration timeout) {
    assertThat(DEFAULTS.withMaxWait(timeout).maxWait()).isEqualTo(timeout);
  }

  @Test
  void ofExtensionAndAFixedLeaseTheLastOneCounts() {
    Duration hour = Duration.ofHours(1);
    LockOptions fixed = DEFAULTS.withAutoExtend(hour).withFixedLease();
    assertThat(fixed.isFixedLease()).isTrue();
    assertThat(fixed.autoExtend()).isEmpty();
    assertThat(fixed.withTtl(hour).isFixedLease()).isTrue();
    assertThat(fixed.withAutoExtend(hour).isFixedLease()).isFalse();
  }

  @Test
  void retriesEndAWaitOnlyIfTheyWereAskedFor() {
    assertThat(DEFAULTS.mostRetries()).isEmpty();
    assertThat(DEFAULTS.withRetry(RetryPolicy.defaults()).mostRetries()).hasValue(10);
  }

  @Test
  void everyOptionIsKeptWhenAnotherOneChanges() {
    RetryPolicy retry =
        RetryPolicy.defaults()
            .withMaxRetries(1)
            .withDelay(Duration.ZERO)
            .withBackoff(Backoff.FIXED)
            .withJitter(Jitter.NONE);
    ReleaseErrorHandler handler = (error, failure) -> {};
    Duration second = Duration.ofSeconds(1);

    LockOptions forwards =
        DEFAULTS
            .withTtl(second)
            .withMaxWait(Duration.ZERO)
            .withRetry(retry)
            .withAutoExtend(second)
            .withInterruptOnLoss()
            .withOnReleaseError(handler);
    LockOptions backwards =
        DEFAULTS
            .withOnReleaseError(handler)
            .withInterruptOnLoss()
            .withAutoExtend(second)
            .withRetry(retry)
            .withMaxWait(Duration.ZERO)
            .withTtl(second);

    assertThat(forwards).usingRecursiveComparison().isEqualTo(backwards);
    assertThat(forwards.ttl()).isEqualTo(second);
    assertThat(forwards.maxWait()).isZero();
    assertThat(forwards.retry()).isEqualTo(retry);
    assertThat(forwards.autoExtend()).contains(second);
    assertThat(forwards.interruptOnLoss()).isTrue();
    assertThat(forwards.onReleaseError()).containsSame(handler);
  }
}
