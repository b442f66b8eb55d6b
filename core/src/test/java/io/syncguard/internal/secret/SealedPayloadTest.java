package io.syncguard.internal.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.ViewProof;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedPayloadTest {

  private static final SealingKey KEY =
      SealingKey.of("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
  private static final SecretId ID = SecretId.of("abcdefghijklmnopqrst_w");

  /** Made by the JavaScript in docs/secrets.md. */
  private static final String SEALED_IN_A_BROWSER =
      "{\"version\":2,\"iv\":\"8PHy8_T19vf4-fr7\","
          + "\"ciphertext\":\"_G02XNH_pV_XP8AMk1b7wl6nGpOtL7cPVAZKA4fy834GZlA\"}";

  @Test
  void whatABrowserSealedIsOpenedAndHasTheSameProof() {
    assertThat(open(SEALED_IN_A_BROWSER, ID, KEY)).isEqualTo("sealed in a browser".getBytes(UTF_8));
    assertThat(KEY.proof(ID).hash())
        .isEqualTo(ViewProof.of("S70ql3qsKbQvyjDJJBd1MG49gLvVQp3fLMNHeGEtQPo").hash());
  }

  /** Test case 1 of RFC 5869, of whose result these are the first 32 bytes. */
  @Test
  void keysAreDerivedAsTheRfcSays() {
    HexFormat hex = HexFormat.of();
    byte[] secret = new byte[22];
    Arrays.fill(secret, (byte) 0x0b);
    byte[] salt = hex.parseHex("000102030405060708090a0b0c");
    byte[] info = hex.parseHex("f0f1f2f3f4f5f6f7f8f9");
    assertThat(hex.formatHex(Hkdf.derive(secret, salt, info)))
        .isEqualTo("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
  }

  @Test
  void theSamePayloadIsSealedDifferentlyEachTime() {
    byte[] payload = "secret".getBytes(UTF_8);
    String one = sealed(payload);
    String two = sealed(payload);
    assertThat(one).isNotEqualTo(two).hasSameSizeAs(two);
    assertThat(open(one, ID, KEY)).isEqualTo(payload);
    assertThat(open(two, ID, KEY)).isEqualTo(payload);
  }

  @Test
  void underAnotherIdItIsNotOpened() {
    String sealed = sealed(new byte[100]);
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> open(sealed, SecretId.random(), KEY))
        .matches(e -> e.code() == Code.INTERNAL);
    assertThat(KEY.proof(ID).hash()).isNotEqualTo(KEY.proof(SecretId.random()).hash());
  }

  @Test
  void whatWasAlteredIsNotOpened() {
    String sealed = sealed(new byte[100]);
    int at = sealed.indexOf("ciphertext") + 30;
    char other = sealed.charAt(at) == 'A' ? 'B' : 'A';
    String altered = sealed.substring(0, at) + other + sealed.substring(at + 1);
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> open(altered, ID, KEY))
        .matches(e -> e.code() == Code.INTERNAL)
        .withMessageContaining(ID.hash());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "{}",
        "{\"version\":1,\"iv\":\"AAAAAAAAAAAAAAAA\",\"ciphertext\":\"AAAAAAAAAAAAAAAAAAAAAA\"}",
        "{\"version\":2,\"iv\":\"AAAAAAAAAAAAAAAA\",\"ciphertext\":\"AAAA\"}",
        "{\"version\":2,\"iv\":\"AAAA\",\"ciphertext\":\"AAAAAAAAAAAAAAAAAAAAAAAA\"}",
        "{\"version\":2,\"iv\":\"AAAAAAAAAAAAAAAA\",\"ciphertext\":\"A\"}",
        "{\"version\":2,\"iv\":\"AAAA\",\"ciphertext\":\"A+==\"}",
        "{\"version\":2,\"iv\":\"AAAA\",\"ciphertext\":\"\"}"
      })
  void whatIsNotASealOfThisVersionIsRefused(String text) {
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> open(text, ID, KEY))
        .matches(e -> e.code() == Code.INVALID_ARGUMENT);
    SecretView stored = new SecretView(text.getBytes(UTF_8), 0);
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> SecretTerms.opened(stored, ID, KEY))
        .matches(e -> e.code() == Code.INTERNAL)
        .withMessageContaining(ID.hash());
  }

  @Test
  void aKeyAndAProofHave32Bytes() {
    SealingKey key = SealingKey.random();
    assertThat(SealingKey.of(key.text()).text()).isEqualTo(key.text()).hasSize(43);
    assertThat(SealingKey.of(key.bytes()).text()).isEqualTo(key.text());
    for (String bad : new String[] {"", "short", key.text() + "AA", "+".repeat(43)}) {
      assertThatExceptionOfType(SyncGuardException.class).isThrownBy(() -> SealingKey.of(bad));
      assertThatExceptionOfType(SyncGuardException.class).isThrownBy(() -> ViewProof.of(bad));
    }
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> SealingKey.of(new byte[16]));
  }

  @Test
  void nothingThatIsSecretIsShown() {
    SealingKey key = SealingKey.random();
    SecretId id = SecretId.random();
    assertThat(key.toString()).doesNotContain(key.text());
    assertThat(key.proof(id)).hasToString("ViewProof[hidden]");
    assertThat(id.toString()).contains(id.hash()).doesNotContain(id.value());
    assertThat(new SecretView(new byte[6], 1)).hasToString("SecretView[6 bytes, remaining=1]");
  }

  private static String sealed(byte[] payload) {
    return new String(SealedPayload.seal(payload, ID, KEY).text(), UTF_8);
  }

  private static byte[] open(String text, SecretId id, SealingKey key) {
    return SealedPayload.parse(text.getBytes(UTF_8), id).open(key);
  }
}
