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
import io.syncguard.secret.ViewProof;
import io.syncguard.secret.Views;
import io.syncguard.secret.WrongKeyException;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.Interception;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Secrets that are encrypted before the store sees them. */
public interface SealedSuite extends SecretSuite {

  /** In the documented form, and nothing that a key opens. */
  byte[] SEALED_ELSEWHERE =
      bytes(
          "{\"version\":2,\"iv\":\"AAAAAAAAAAAAAAAA\",\"ciphertext\":\"AAAAAAAAAAAAAAAAAAAAAA\"}");

  @Test
  default void aSealedSecretIsViewedWithItsKey() {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(2), LONG);
    SecretView first = otherSecrets().view(id, key).orElseThrow();
    assertThat(first.value()).isEqualTo(bytes("secret"));
    assertThat(first.remaining()).isEqualTo(1);
    assertThat(join(secrets().async().view(id, SealingKey.of(key.text()))).orElseThrow().value())
        .isEqualTo(bytes("secret"));
    assertThat(secrets().view(id, key)).isEmpty();
  }

  @Test
  default void aWrongKeyIsAnErrorOfItsOwnAndCostsNoView() {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(1), LONG);
    SecretInfo before = secrets().peek(id).orElseThrow();
    assertRefused(() -> secrets().view(id, SealingKey.random()));
    assertRefused(otherSecrets().async().view(id, SealingKey.random()));
    assertThat(secrets().peek(id)).contains(before);
    assertThat(secrets().view(id, key).orElseThrow().value()).isEqualTo(bytes("secret"));
  }

  @Test
  default void aSealedSecretWithoutAKeyIsRefusedAndCostsNoView() {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(1), LONG);
    assertRefused(() -> secrets().view(id));
    assertRefused(secrets().async().view(id));
    assertThat(secrets().view(id, key)).isPresent();
  }

  @Test
  default void aKeyForWhatWasNotSealedIsRefusedAndCostsNoView() {
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    assertRefused(() -> secrets().view(id, SealingKey.random()));
    assertThat(reveal(secrets(), id).value()).isEqualTo(bytes("secret"));
  }

  @Test
  default void aKeyForASecretThatIsNotThereFindsNothing() {
    assertThat(secrets().view(SecretId.random(), SealingKey.random())).isEmpty();
  }

  private static void assertRefused(Runnable view) {
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(view::run)
        .withMessageContaining("no view was counted");
  }

  private static void assertRefused(CompletionStage<?> view) {
    CompletionStage<Boolean> refused =
        view.handle((seen, failure) -> failure instanceof WrongKeyException);
    assertThat(join(refused)).isTrue();
  }

  @Test
  default void amongWrongKeysAtTheSameTimeEveryRightOneReveals() throws Exception {
    SealingKey key = SealingKey.random();
    SecretId id = secrets().putSealed(bytes("secret"), key, Views.of(40), LONG);
    List<List<Integer>> seen =
        StoreSuite.together(
            4,
            () ->
                IntStream.range(0, 10)
                    .mapToObj(
                        i -> {
                          assertRefused(() -> otherSecrets().view(id, SealingKey.random()));
                          return secrets().view(id, key).orElseThrow().remaining();
                        })
                    .toList());
    assertThat(seen.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40).boxed().toList());
  }

  @Test
  default void theStoreSeesNeitherTheSecretNorTheKeyNorTheProof() {
    List<NewSecret> stored = new CopyOnWriteArrayList<>();
    Secrets recorded =
        open(
                guardOptions(),
                Interception.on(
                    SecretOperation.Put.class,
                    (put, call, next) -> {
                      stored.add(put.secret());
                      return next.execute(put, call);
                    }))
            .secrets();
    SealingKey key = SealingKey.random();
    recorded.putSealed(bytes("secret"), key, Views.of(1), LONG);
    recorded.putIfNew(SecretId.random(), SEALED_ELSEWHERE, PROOF, Views.of(1), LONG);
    assertThat(new String(stored.get(0).payload(), UTF_8))
        .matches("\\{\"version\":2,\"iv\":\"[\\w-]{16}\",\"ciphertext\":\"[\\w-]{30}\"}")
        .doesNotContain("secret", key.text());
    // printf %s to openssl dgst -sha256 of 32 bytes of zeros
    assertThat(stored.get(1).proofHash().value())
        .isEqualTo("66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
  }

  /** 32 bytes of zeros. */
  ViewProof PROOF = ViewProof.of("A".repeat(43));

  @Test
  default void whatAClientSealedElsewhereIsViewedWithItsProof() {
    SecretId id = SecretId.random();
    assertThat(secrets().putIfNew(id, SEALED_ELSEWHERE, PROOF, Views.of(2), LONG)).isTrue();
    assertThat(secrets().putIfNew(id, SEALED_ELSEWHERE, PROOF, Views.of(2), LONG)).isFalse();
    assertRefused(() -> secrets().view(id, ViewProof.of("B".repeat(42) + "A")));
    assertThat(secrets().view(id, PROOF).orElseThrow().value()).isEqualTo(SEALED_ELSEWHERE);
    assertThat(join(secrets().async().view(id, PROOF)).orElseThrow().value())
        .isEqualTo(SEALED_ELSEWHERE);
    assertThat(join(secrets().async().putIfNew(id, SEALED_ELSEWHERE, PROOF, Views.of(1), LONG)))
        .isTrue();
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> secrets().putIfNew(SecretId.random(), bytes("{}"), PROOF, Views.of(1), LONG));
  }

  @Test
  default void aSealedTextThatWasCopiedToAnotherIdDoesNotOpenThere() {
    SealingKey key = SealingKey.random();
    List<NewSecret> stored = new CopyOnWriteArrayList<>();
    Secrets swapping =
        open(
                guardOptions(),
                Interception.on(
                    SecretOperation.Put.class,
                    (put, call, next) -> {
                      stored.add(put.secret());
                      return next.execute(withPayloadOf(stored.get(0), put.secret()), call);
                    }))
            .secrets();
    swapping.putSealed(bytes("one"), key, Views.of(1), LONG);
    SecretId two = swapping.putSealed(bytes("two"), key, Views.of(1), LONG);
    assertFails(Code.INTERNAL, () -> secrets().view(two, key));
  }

  /** Stores one secret's text under another's id, as anything that can write there could. */
  private static SecretOperation.Put withPayloadOf(NewSecret text, NewSecret secret) {
    return new SecretOperation.Put(
        new NewSecret(
            secret.id(), text.payload(), secret.proofHash(), secret.views(), secret.ttl()));
  }

  @Test
  default void theLargestPayloadCanBeSealedToo() {
    SealingKey key = SealingKey.random();
    byte[] large = new byte[Secrets.DEFAULT_LARGEST_PAYLOAD];
    SecretId id = join(secrets().async().putSealed(large, key, Views.of(1), LONG));
    assertThat(secrets().view(id, key).orElseThrow().value()).isEqualTo(large);
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> secrets().putSealed(new byte[large.length + 1], key, Views.of(1), LONG));
  }
}
