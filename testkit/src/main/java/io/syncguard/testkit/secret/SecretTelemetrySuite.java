package io.syncguard.testkit.secret;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.Primitive;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.secret.WrongKeyException;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.Result;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.testkit.internal.RecordedEvents;
import org.junit.jupiter.api.Test;

/** Every operation is reported, whichever way it took. */
public interface SecretTelemetrySuite extends SecretSuite {

  @Test
  default void everyOperationOnASecretIsReportedWithItsResultAndReason() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Secrets observed = observed(Telemetry.to(events));

    SecretId id = observed.put(bytes("secret"), Views.of(1), LONG);
    observed.peek(id);
    observed.view(id);
    join(observed.async().view(id));
    join(observed.async().burn(id));
    observed.putIfNew(id, bytes("secret"), Views.of(1), LONG);
    observed.putIfNew(id, bytes("secret"), Views.of(1), LONG);
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> observed.view(id, SealingKey.random()));

    eventually(() -> assertThat(events.operations()).hasSize(8));
    assertThat(events.operations())
        .extracting(OperationEvent::operation, OperationEvent::result, OperationEvent::reason)
        .containsExactly(
            tuple("put", Result.OK, null),
            tuple("peek", Result.OK, null),
            tuple("view", Result.OK, null),
            tuple("view", Result.FAIL, Reason.NOT_FOUND),
            tuple("burn", Result.FAIL, Reason.NOT_FOUND),
            tuple("put", Result.OK, null),
            tuple("put", Result.FAIL, Reason.EXISTS),
            tuple("view", Result.FAIL, Reason.WRONG_KEY));
    assertThat(events.operations())
        .extracting(OperationEvent::subject)
        .allMatch(subject -> subject.primitive() == Primitive.SECRET)
        .allMatch(subject -> id.hash().equals(subject.idHash()) && subject.id() == null);
    assertThat(events.operations())
        .allMatch(event -> event.errorCode() == null && !event.elapsed().isNegative());
  }

  @Test
  default void rawIdsOfSecretsAreShownOnlyOnRequest() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Secrets observed = observed(Telemetry.to(events).includingRaw());
    SecretId id = observed.put(bytes("secret"), Views.of(1), LONG);
    eventually(
        () ->
            assertThat(events.operations())
                .extracting(event -> event.subject().id())
                .containsExactly(id.value()));
  }

  @Test
  default void whatThrowsOnASecretIsReportedWithItsCode() throws Exception {
    RecordedEvents events = new RecordedEvents();
    FaultyClient client = openFaulty(guardOptions().withTelemetry(Telemetry.to(events)));
    client.faults().refuse(1);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> client.secrets().view(SecretId.random()));
    eventually(
        () ->
            assertThat(events.operations())
                .extracting(OperationEvent::operation, OperationEvent::errorCode)
                .containsExactly(tuple("view", Code.SERVICE_UNAVAILABLE)));
  }

  private Secrets observed(Telemetry telemetry) {
    return open(guardOptions().withTelemetry(telemetry)).secrets();
  }
}
