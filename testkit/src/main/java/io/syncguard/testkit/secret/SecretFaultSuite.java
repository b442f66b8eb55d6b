package io.syncguard.testkit.secret;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static io.syncguard.testkit.secret.SecretSuite.reveal;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.SecretBackend;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.DelegatingSecretBackend;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and operations that are refused. */
public interface SecretFaultSuite extends SecretSuite {

  @Test
  default void aViewWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated() {
    FaultySecrets client = openFaultySecrets(guardOptions());
    SecretId id = secrets().put(bytes("secret"), Views.of(3), LONG);

    client.store().loseReplies(1);
    assertThat(inDoubt(() -> client.secrets().view(id))).isTrue();
    assertThat(client.store().operations()).isEqualTo(1);
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(2);

    client.store().loseReplies(1);
    assertThat(inDoubt(() -> join(client.secrets().async().view(id)))).isTrue();
    assertThat(client.store().operations()).isEqualTo(2);
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void aLastViewWhoseReplyIsLostBurnsTheSecret() {
    FaultySecrets client = openFaultySecrets(guardOptions());
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    client.store().loseReplies(1);
    assertThat(inDoubt(() -> client.secrets().view(id))).isTrue();
    assertThat(secrets().view(id)).isEmpty();
  }

  @Test
  default void aViewThatWasRefusedIsNotInDoubtAndNotRepeated() {
    FaultySecrets client = openFaultySecrets(guardOptions());
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    client.store().refuse(1);
    assertThat(
            assertFails(Code.SERVICE_UNAVAILABLE, () -> client.secrets().view(id))
                .isOutcomeUnknown())
        .isFalse();
    assertThat(client.store().operations()).isEqualTo(1);
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void aPutWhoseReplyIsLostLeavesNothingBehind() throws Exception {
    List<SecretId> stored = new CopyOnWriteArrayList<>();
    Secrets losing =
        open(
                guardOptions(),
                client ->
                    DecoratedStore.withSecrets(client, backend -> losingPuts(backend, stored)))
            .secrets();
    assertThat(inDoubt(() -> losing.put(bytes("a"), Views.of(1), LONG))).isTrue();
    assertThat(inDoubt(() -> join(losing.async().put(bytes("b"), Views.of(1), LONG)))).isTrue();
    assertThat(stored).hasSize(2);
    eventually(() -> assertThat(stored).noneMatch(id -> secrets().peek(id).isPresent()));
  }

  @Test
  default void aPutUnderAGivenIdWhoseReplyIsLostBurnsNothing() {
    SecretId id = secrets().put(bytes("others"), Views.of(1), LONG);
    FaultySecrets client = openFaultySecrets(guardOptions());
    client.store().loseReplies(2);
    assertThat(inDoubt(() -> client.secrets().putIfNew(id, bytes("mine"), Views.of(1), LONG)))
        .isTrue();
    assertThat(
            inDoubt(
                () -> join(client.secrets().async().putIfNew(id, bytes("x"), Views.of(1), LONG))))
        .isTrue();
    assertThat(client.store().operations()).isEqualTo(2);
    assertThat(reveal(secrets(), id).value()).isEqualTo(bytes("others"));
  }

  private static SecretBackend losingPuts(SecretBackend backend, List<SecretId> stored) {
    return new DelegatingSecretBackend(backend) {
      @Override
      public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
        stored.add(secret.id());
        super.put(secret, signal);
        throw SyncGuardException.withUnknownOutcome(
            Code.NETWORK_TIMEOUT, "Reply lost by the test", SyncGuardException.Context.NONE, null);
      }
    };
  }

  private static boolean inDoubt(Runnable operation) {
    return assertFails(Code.NETWORK_TIMEOUT, operation::run).isOutcomeUnknown();
  }
}
