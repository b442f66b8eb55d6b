package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.telemetry.LimitEvent;
import io.syncguard.telemetry.LimitEvent.Reason;
import io.syncguard.telemetry.LockEvent.Result;
import io.syncguard.telemetry.Telemetry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and what is reported of a counter's operations. */
public interface CounterFaultSuite extends LimitSuite {

  @Test
  default void anIncrementWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated() {
    FaultyLimits client = openFaultyLimits(guardOptions());
    String key = newName();
    client.store().loseReplies(2);
    assertThat(
            assertFails(
                    Code.NETWORK_TIMEOUT, () -> client.guard().counters().increment(key, 9, LONG))
                .isOutcomeUnknown())
        .isTrue();
    assertThat(
            assertFails(
                    Code.NETWORK_TIMEOUT,
                    () -> join(client.guard().counters().async().increment(key, 9, LONG)))
                .isOutcomeUnknown())
        .isTrue();
    assertThat(client.store().operations()).isEqualTo(2);
    assertThat(counters().current(key)).map(CounterState::count).contains(2L);
  }

  @Test
  default void anIncrementThatWasRefusedIsNotRepeated() {
    FaultyLimits client = openFaultyLimits(guardOptions());
    String key = newName();
    client.store().refuse(1);
    assertThat(
            assertFails(
                    Code.SERVICE_UNAVAILABLE,
                    () -> client.guard().counters().increment(key, 9, LONG))
                .isOutcomeUnknown())
        .isFalse();
    assertThat(client.store().operations()).isEqualTo(1);
    assertThat(counters().current(key)).isEmpty();
  }

  @Test
  default void everyOperationOnACounterIsReportedWithItsResultAndReason() throws Exception {
    List<LimitEvent> events = new CopyOnWriteArrayList<>();
    Telemetry telemetry = Telemetry.to(event -> {}).withLimits(events::add);
    Counters observed = open(guardOptions().withTelemetry(telemetry)).counters();
    String key = newName();

    observed.current(key);
    observed.increment(key, 1, LONG);
    join(observed.async().increment(key, 1, LONG));
    observed.reset(key);

    eventually(() -> assertThat(events).hasSize(4));
    assertThat(events)
        .extracting(LimitEvent::type, LimitEvent::result, LimitEvent::reason)
        .containsExactly(
            tuple(LimitEvent.Type.CURRENT, Result.FAIL, Reason.NOT_FOUND),
            tuple(LimitEvent.Type.INCREMENT, Result.OK, null),
            tuple(LimitEvent.Type.INCREMENT, Result.FAIL, Reason.LIMITED),
            tuple(LimitEvent.Type.RESET, Result.OK, null));
    assertThat(events)
        .allMatch(event -> event.keyHash().equals(KeyHash.of(key)) && event.key() == null);
  }
}
