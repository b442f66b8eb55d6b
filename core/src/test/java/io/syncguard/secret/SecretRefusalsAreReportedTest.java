package io.syncguard.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.CancelSignal;
import io.syncguard.Failure;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ends before the store is asked is reported too, with the code. */
class SecretRefusalsAreReportedTest {

  private static final byte[] BYTES = new byte[3];
  private static final Views ONCE = Views.of(1);
  private static final Duration TTL = Duration.ofSeconds(9);
  private static final SealingKey KEY = SealingKey.random();

  private final SecretId id = SecretId.random();
  private final RecordedEvents events = new RecordedEvents();
  private final SyncGuard guard =
      SyncGuard.open(
          "memory:",
          GuardOptions.defaults()
              .withTimeSource(new HandMovedTime())
              .withTelemetry(Telemetry.to(events)));
  private final Secrets secrets = guard.secrets();

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  void aSecretThatCannotBe() {
    Secrets small = secrets.withLargestPayload(2);
    refused(() -> small.put(BYTES, ONCE, TTL));
    refused(() -> small.putSealed(BYTES, KEY, ONCE, TTL));
    refused(() -> secrets.put(BYTES, ONCE, Duration.ZERO));
    refused(() -> secrets.putIfNew(id, BYTES, ONCE, Duration.ZERO));
    refused(() -> secrets.putIfNew(id, BYTES, KEY.proof(id), ONCE, TTL));
    refused(() -> join(small.async().put(BYTES, ONCE, TTL)));
    refused(() -> join(secrets.async().putIfNew(id, BYTES, ONCE, Duration.ZERO)));

    List<OperationEvent> reported = events.of(guard, OperationEvent.class);
    assertThat(reported)
        .hasSize(7)
        .extracting(RecordedEvents::text)
        .containsOnly("put fail INVALID_ARGUMENT");
    assertThat(reported.get(3).subject().idHash()).isEqualTo(id.hash());
  }

  @Test
  @SuppressWarnings("NullAway")
  void nullIsABadArgument() {
    refused(() -> secrets.put(null, ONCE, TTL));
    refused(() -> secrets.put(BYTES, null, TTL));
    refused(() -> secrets.put(BYTES, ONCE, null));
    refused(() -> secrets.putSealed(BYTES, null, ONCE, TTL));
    refused(() -> secrets.putIfNew(null, BYTES, ONCE, TTL));
    refused(() -> secrets.putIfNew(null, BYTES, KEY.proof(id), ONCE, TTL));
    refused(() -> secrets.putIfNew(id, null, KEY.proof(id), ONCE, TTL));
    refused(() -> join(secrets.async().putSealed(BYTES, null, ONCE, TTL)));
    assertReported(8, "put fail INVALID_ARGUMENT");

    refused(() -> secrets.view(null));
    refused(() -> secrets.view(null, KEY));
    refused(() -> secrets.view(id, (SealingKey) null));
    refused(() -> secrets.view(id, (ViewProof) null));
    refused(() -> join(secrets.async().view(null)));
    assertReported(5, "view fail INVALID_ARGUMENT");

    refused(() -> secrets.peek(null));
    refused(() -> join(secrets.async().peek(null)));
    assertReported(2, "peek fail INVALID_ARGUMENT");

    refused(() -> secrets.burn(null));
    refused(() -> join(secrets.async().burn(null)));
    assertReported(2, "burn fail INVALID_ARGUMENT");
  }

  @Test
  void aSignalThatIsCancelled() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();

    useAll(secrets.cancelledBy(signal));

    assertUseReported("ABORTED");
  }

  @Test
  void aClosedGuard() {
    guard.close();

    useAll(secrets);

    assertUseReported("SERVICE_UNAVAILABLE");
  }

  @Test
  void anInterruptedThread() {
    Thread.currentThread().interrupt();
    fails(() -> secrets.put(BYTES, ONCE, TTL));
    fails(() -> secrets.view(id));
    assertThat(Thread.interrupted()).isTrue();

    assertThat(reported()).containsExactly("put fail ABORTED", "view fail ABORTED");
  }

  private void useAll(Secrets refusing) {
    fails(() -> refusing.put(BYTES, ONCE, TTL));
    fails(() -> refusing.putIfNew(id, BYTES, ONCE, TTL));
    fails(() -> refusing.view(id, KEY));
    fails(() -> refusing.peek(id));
    fails(() -> refusing.burn(id));
    fails(() -> join(refusing.async().put(BYTES, ONCE, TTL)));
    fails(() -> join(refusing.async().putIfNew(id, BYTES, ONCE, TTL)));
    fails(() -> join(refusing.async().view(id, KEY)));
    fails(() -> join(refusing.async().peek(id)));
    fails(() -> join(refusing.async().burn(id)));
  }

  private void assertUseReported(String code) {
    assertThat(reported())
        .containsExactly(
            "put fail " + code,
            "put fail " + code,
            "view fail " + code,
            "peek fail " + code,
            "burn fail " + code,
            "put fail " + code,
            "put fail " + code,
            "view fail " + code,
            "peek fail " + code,
            "burn fail " + code);
  }

  private void assertReported(int times, String refusal) {
    assertThat(reported()).hasSize(times).containsOnly(refusal);
  }

  private List<String> reported() {
    return events.of(guard, OperationEvent.class).stream().map(RecordedEvents::text).toList();
  }

  private static void refused(Runnable operation) {
    Failure.ofBadArgument(operation::run);
  }

  private static void fails(Runnable operation) {
    assertThatExceptionOfType(SyncGuardException.class).isThrownBy(operation::run);
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
