package io.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  @Test
  void theDefaultsAreThoseOfTheSpecification() {
    assertThat(RetryPolicy.defaults())
        .isEqualTo(new RetryPolicy(10, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL));
  }

  @Test
  void eachPartCanBeChangedAlone() {
    assertThat(
            RetryPolicy.defaults()
                .withMaxRetries(1)
                .withDelay(Duration.ZERO)
                .withBackoff(Backoff.FIXED)
                .withJitter(Jitter.NONE))
        .isEqualTo(new RetryPolicy(1, Duration.ZERO, Backoff.FIXED, Jitter.NONE));
  }

  @Test
  void negativeRetriesAndDelaysAreRefused() {
    Failure.ofBadArgument(() -> new RetryPolicy(-1, Duration.ZERO, Backoff.FIXED, Jitter.NONE));
    Failure.ofBadArgument(
        () -> new RetryPolicy(0, Duration.ofNanos(-1), Backoff.FIXED, Jitter.NONE));
  }
}
