package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Primitive;
import io.syncguard.spi.lock.LockOperation;
import org.junit.jupiter.api.Test;

/** Dashboards rely on the labels; those of locks are the same in clients of every language. */
class LabelsTest {

  @Test
  void operationsOnLocksAreLabelledAsInTheSpecification() {
    assertThat(LockOperation.ACQUIRE).isEqualTo("acquire");
    assertThat(LockOperation.RELEASE).isEqualTo("release");
    assertThat(LockOperation.EXTEND).isEqualTo("extend");
    assertThat(LockOperation.IS_LOCKED).isEqualTo("isLocked");
    assertThat(LockOperation.LOOKUP).isEqualTo("lookup");
  }

  @Test
  void resultsAreLabelledAsInTheSpecification() {
    assertThat(Result.values()).extracting(Result::label).containsExactlyInAnyOrder("ok", "fail");
  }

  @Test
  void reasonsOfLocksAreLabelledAsInTheSpecificationAndTheOthersLikewise() {
    assertThat(Reason.LOCKED.label()).isEqualTo("locked");
    assertThat(Reason.EXPIRED.label()).isEqualTo("expired");
    assertThat(Reason.NOT_FOUND.label()).isEqualTo("not-found");
    assertThat(Reason.values())
        .extracting(Reason::label)
        .containsExactlyInAnyOrder(
            "locked",
            "expired",
            "not-found",
            "queued",
            "busy",
            "limit-differs",
            "lost",
            "limited",
            "wrong-key",
            "exists");
  }

  @Test
  void theEndsOfAHoldHaveLabels() {
    assertThat(HoldEvent.End.values())
        .extracting(HoldEvent.End::label)
        .containsExactlyInAnyOrder("released", "lost", "in-doubt");
  }

  @Test
  void primitivesHaveLabels() {
    assertThat(Primitive.values())
        .extracting(Primitive::label)
        .containsExactlyInAnyOrder("lock", "semaphore", "secret", "counter", "rate-limiter");
  }
}
