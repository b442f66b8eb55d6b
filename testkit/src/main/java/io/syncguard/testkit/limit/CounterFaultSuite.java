package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.Result;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.testkit.internal.RecordedEvents;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and what is reported of a counter's operations. */
public interface CounterFaultSuite extends LimitSuite {

  @Test
  default void anIncrementWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated() {
    FaultyClient client = openFaulty();
    String key = newName();
    client.faults().loseReplies(2);
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
    assertThat(client.faults().operations()).isEqualTo(2);
    assertThat(counters().current(key)).map(CounterState::count).contains(2L);
  }

  @Test
  default void anIncrementThatWasRefusedIsNotRepeated() {
    FaultyClient client = openFaulty();
    String key = newName();
    client.faults().refuse(1);
    assertThat(
            assertFails(
                    Code.SERVICE_UNAVAILABLE,
                    () -> client.guard().counters().increment(key, 9, LONG))
                .isOutcomeUnknown())
        .isFalse();
    assertThat(client.faults().operations()).isEqualTo(1);
    assertThat(counters().current(key)).isEmpty();
  }

  @Test
  default void everyOperationOnACounterIsReportedWithItsResultAndReason() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Counters observed = open(guardOptions().withTelemetry(Telemetry.to(events))).counters();
    String key = newName();

    observed.current(key);
    observed.increment(key, 1, LONG);
    join(observed.async().increment(key, 1, LONG));
    observed.reset(key);

    eventually(() -> assertThat(events.operations()).hasSize(4));
    assertThat(events.operations())
        .extracting(OperationEvent::operation, OperationEvent::result, OperationEvent::reason)
        .containsExactly(
            tuple("current", Result.FAIL, Reason.NOT_FOUND),
            tuple("increment", Result.OK, null),
            tuple("increment", Result.FAIL, Reason.LIMITED),
            tuple("reset", Result.OK, null));
    assertThat(events.operations())
        .extracting(OperationEvent::subject)
        .allMatch(subject -> subject.primitive() == Primitive.COUNTER)
        .allMatch(subject -> KeyHash.of(key).equals(subject.nameHash()) && subject.name() == null);
  }
}
