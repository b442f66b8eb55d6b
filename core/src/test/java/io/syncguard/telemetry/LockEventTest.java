package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The labels are those that SyncGuard clients in every language use. */
class LockEventTest {

  @Test
  void typesAreLabelledAsInTheSpecification() {
    assertThat(LockEvent.Type.values())
        .extracting(LockEvent.Type::label)
        .containsExactlyInAnyOrder("acquire", "release", "extend", "isLocked", "lookup");
  }

  @Test
  void resultsAreLabelledAsInTheSpecification() {
    assertThat(LockEvent.Result.values())
        .extracting(LockEvent.Result::label)
        .containsExactlyInAnyOrder("ok", "fail");
  }

  @Test
  void reasonsAreLabelledAsInTheSpecification() {
    assertThat(LockEvent.Reason.values())
        .extracting(LockEvent.Reason::label)
        .containsExactlyInAnyOrder("locked", "expired", "not-found");
  }
}
