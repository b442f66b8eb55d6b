package io.syncguard.testkit.secret;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static io.syncguard.testkit.secret.SecretSuite.reveal;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.fault.Interception;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and operations that are refused. */
public interface SecretFaultSuite extends SecretSuite {

  @Test
  default void aViewWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated() {
    FaultyClient client = openFaulty(guardOptions());
    SecretId id = secrets().put(bytes("secret"), Views.of(3), LONG);

    client.faults().loseReplies(1);
    assertThat(inDoubt(() -> client.secrets().view(id))).isTrue();
    assertThat(client.faults().operations()).isEqualTo(1);
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(2);

    client.faults().loseReplies(1);
    assertThat(inDoubt(() -> join(client.secrets().async().view(id)))).isTrue();
    assertThat(client.faults().operations()).isEqualTo(2);
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void aLastViewWhoseReplyIsLostBurnsTheSecret() {
    FaultyClient client = openFaulty(guardOptions());
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    client.faults().loseReplies(1);
    assertThat(inDoubt(() -> client.secrets().view(id))).isTrue();
    assertThat(secrets().view(id)).isEmpty();
  }

  @Test
  default void aViewThatWasRefusedIsNotInDoubtAndNotRepeated() {
    FaultyClient client = openFaulty(guardOptions());
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    client.faults().refuse(1);
    assertThat(
            assertFails(Code.SERVICE_UNAVAILABLE, () -> client.secrets().view(id))
                .isOutcomeUnknown())
        .isFalse();
    assertThat(client.faults().operations()).isEqualTo(1);
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void aPutWhoseReplyIsLostLeavesNothingBehind() throws Exception {
    List<SecretId> stored = new CopyOnWriteArrayList<>();
    Faults lost = Faults.on(SecretOperation.Put.class);
    lost.loseReplies(Integer.MAX_VALUE);
    Interception noting =
        Interception.on(
            SecretOperation.Put.class,
            (put, call, next) -> {
              stored.add(put.id());
              return next.execute(put, call);
            });
    Secrets losing = open(guardOptions(), next -> noting.apply(lost.apply(next))).secrets();
    assertThat(inDoubt(() -> losing.put(bytes("a"), Views.of(1), LONG))).isTrue();
    assertThat(inDoubt(() -> join(losing.async().put(bytes("b"), Views.of(1), LONG)))).isTrue();
    assertThat(stored).hasSize(2);
    eventually(() -> assertThat(stored).noneMatch(id -> secrets().peek(id).isPresent()));
  }

  @Test
  default void aPutUnderAGivenIdWhoseReplyIsLostBurnsNothing() {
    SecretId id = secrets().put(bytes("others"), Views.of(1), LONG);
    FaultyClient client = openFaulty(guardOptions());
    client.faults().loseReplies(2);
    assertThat(inDoubt(() -> client.secrets().putIfNew(id, bytes("mine"), Views.of(1), LONG)))
        .isTrue();
    assertThat(
            inDoubt(
                () -> join(client.secrets().async().putIfNew(id, bytes("x"), Views.of(1), LONG))))
        .isTrue();
    assertThat(client.faults().operations()).isEqualTo(2);
    assertThat(reveal(secrets(), id).value()).isEqualTo(bytes("others"));
  }

  private static boolean inDoubt(Runnable operation) {
    return assertFails(Code.NETWORK_TIMEOUT, operation::run).isOutcomeUnknown();
  }
}
