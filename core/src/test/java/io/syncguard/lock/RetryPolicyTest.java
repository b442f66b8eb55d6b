package io.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  @Test
  void theDefaultsAreThoseOfTheSpecification() {
    RetryPolicy defaults = RetryPolicy.defaults();
    assertThat(defaults.maxRetries()).isEqualTo(10);
    assertThat(defaults.delay()).isEqualTo(Duration.ofMillis(100));
    assertThat(defaults.backoff()).isEqualTo(Backoff.EXPONENTIAL);
    assertThat(defaults.jitter()).isEqualTo(Jitter.EQUAL);
  }

  @Test
  void eachPartCanBeChangedAlone() {
    RetryPolicy defaults = RetryPolicy.defaults();
    assertThat(
            List.of(
                defaults.withMaxRetries(1),
                defaults.withDelay(Duration.ZERO),
                defaults.withBackoff(Backoff.FIXED),
                defaults.withJitter(Jitter.NONE)))
        .extracting(RetryPolicy::toString)
        .containsExactly(
            "RetryPolicy[maxRetries=1, delay=PT0.1S, backoff=EXPONENTIAL, jitter=EQUAL]",
            "RetryPolicy[maxRetries=10, delay=PT0S, backoff=EXPONENTIAL, jitter=EQUAL]",
            "RetryPolicy[maxRetries=10, delay=PT0.1S, backoff=FIXED, jitter=EQUAL]",
            "RetryPolicy[maxRetries=10, delay=PT0.1S, backoff=EXPONENTIAL, jitter=NONE]");
  }

  @Test
  void policiesOfTheSamePartsAreEqual() {
    RetryPolicy changed = RetryPolicy.defaults().withMaxRetries(1);
    assertThat(changed).isNotEqualTo(RetryPolicy.defaults());
    assertThat(changed.withMaxRetries(10))
        .isEqualTo(RetryPolicy.defaults())
        .hasSameHashCodeAs(RetryPolicy.defaults());
  }

  @Test
  void negativeRetriesAndDelaysAreRefused() {
    Failure.ofBadArgument(() -> RetryPolicy.defaults().withMaxRetries(-1));
    Failure.ofBadArgument(() -> RetryPolicy.defaults().withDelay(Duration.ofNanos(-1)));
  }
}
