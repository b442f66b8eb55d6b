package io.syncguard.testkit.secret;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.secret.WrongKeyException;
import io.syncguard.telemetry.LockEvent.Result;
import io.syncguard.telemetry.SecretEvent;
import io.syncguard.telemetry.SecretEvent.Reason;
import io.syncguard.telemetry.Telemetry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Every operation is reported, whichever way it took. */
public interface SecretTelemetrySuite extends SecretSuite {

  @Test
  default void everyOperationOnASecretIsReportedWithItsResultAndReason() throws Exception {
    List<SecretEvent> events = new CopyOnWriteArrayList<>();
    Secrets observed = observed(Telemetry.to(event -> {}).withSecrets(events::add));

    SecretId id = observed.put(bytes("secret"), Views.of(1), LONG);
    observed.peek(id);
    observed.view(id);
    join(observed.async().view(id));
    join(observed.async().burn(id));
    observed.putIfNew(id, bytes("secret"), Views.of(1), LONG);
    observed.putIfNew(id, bytes("secret"), Views.of(1), LONG);
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> observed.view(id, SealingKey.random()));

    eventually(() -> assertThat(events).hasSize(8));
    assertThat(events)
        .extracting(SecretEvent::type, SecretEvent::result, SecretEvent::reason)
        .containsExactly(
            tuple(SecretEvent.Type.PUT, Result.OK, null),
            tuple(SecretEvent.Type.PEEK, Result.OK, null),
            tuple(SecretEvent.Type.VIEW, Result.OK, null),
            tuple(SecretEvent.Type.VIEW, Result.FAIL, Reason.NOT_FOUND),
            tuple(SecretEvent.Type.BURN, Result.FAIL, Reason.NOT_FOUND),
            tuple(SecretEvent.Type.PUT, Result.OK, null),
            tuple(SecretEvent.Type.PUT, Result.FAIL, Reason.EXISTS),
            tuple(SecretEvent.Type.VIEW, Result.FAIL, Reason.WRONG_KEY));
    assertThat(events)
        .allMatch(event -> event.idHash().equals(id.hash()) && event.id() == null)
        .allMatch(event -> event.errorCode() == null && !event.elapsed().isNegative());
  }

  @Test
  default void rawIdsOfSecretsAreShownOnlyOnRequest() throws Exception {
    List<SecretEvent> events = new CopyOnWriteArrayList<>();
    Secrets observed = observed(Telemetry.to(event -> {}).withSecrets(events::add).includingRaw());
    SecretId id = observed.put(bytes("secret"), Views.of(1), LONG);
    eventually(() -> assertThat(events).extracting(SecretEvent::id).containsExactly(id.value()));
  }

  @Test
  default void whatThrowsOnASecretIsReportedWithItsCode() throws Exception {
    List<SecretEvent> events = new CopyOnWriteArrayList<>();
    FaultySecrets client =
        openFaultySecrets(
            guardOptions().withTelemetry(Telemetry.to(event -> {}).withSecrets(events::add)));
    client.store().refuse(1);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> client.secrets().view(SecretId.random()));
    eventually(
        () ->
            assertThat(events)
                .extracting(SecretEvent::type, SecretEvent::errorCode)
                .containsExactly(tuple(SecretEvent.Type.VIEW, Code.SERVICE_UNAVAILABLE)));
  }

  private Secrets observed(Telemetry telemetry) {
    return open(guardOptions().withTelemetry(telemetry)).secrets();
  }
}
