package io.syncguard.testkit.secret;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static io.syncguard.testkit.secret.SecretSuite.reveal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.secret.WrongKeyException;
import org.junit.jupiter.api.Test;

/** Secrets that are encrypted before the store sees them. */
public interface SealedSuite extends SecretSuite {

  @Test
  default void aSealedSecretIsOpenedWithItsKey() {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(2), LONG);
    assertThat(reveal(otherSecrets(), id).open(key)).isEqualTo(bytes("secret"));
    assertThat(reveal(otherSecrets(), id).open(SealingKey.of(key.text())))
        .isEqualTo(bytes("secret"));
    assertThat(secrets().view(id)).isEmpty();
  }

  @Test
  default void aWrongKeyIsAnErrorOfItsOwnAndCountsNoFurtherView() {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(2), LONG);
    SecretView view = reveal(secrets(), id);
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> view.open(SealingKey.random()));
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
    assertThat(view.open(key)).isEqualTo(bytes("secret"));
    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void theStoreSeesNeitherTheSecretNorTheKey() {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(1), LONG);
    String stored = new String(reveal(secrets(), id).value(), UTF_8);
    assertThat(stored)
        .matches("\\{\"version\":1,\"iv\":\"[\\w-]{16}\",\"ciphertext\":\"[\\w-]{30}\"}")
        .doesNotContain("secret", key.text());
  }

  @Test
  default void theLargestPayloadCanBeSealedToo() {
    SealingKey key = SealingKey.random();
    byte[] large = new byte[Secrets.DEFAULT_LARGEST_PAYLOAD];
    SecretId id = join(secrets().async().putSealed(large, key, Views.of(1), LONG));
    assertThat(reveal(secrets(), id).open(key)).isEqualTo(large);
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> secrets().putSealed(new byte[large.length + 1], key, Views.of(1), LONG));
  }

  @Test
  default void whatWasNotSealedCannotBeOpened() {
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    SecretView view = reveal(secrets(), id);
    assertFails(Code.INVALID_ARGUMENT, () -> view.open(SealingKey.random()));
  }
}
