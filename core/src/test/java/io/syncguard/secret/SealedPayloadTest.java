package io.syncguard.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedPayloadTest {

  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
  private static final SealingKey KEY = SealingKey.of(new byte[32]);

  /** Test case 14 of the paper that specifies GCM. */
  @Test
  void aTextOfAnotherImplementationIsOpened() {
    String iv = BASE64URL.encodeToString(new byte[12]);
    String ciphertext =
        BASE64URL.encodeToString(
            HexFormat.of()
                .parseHex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"));
    assertThat(view(text("1", iv, ciphertext)).open(KEY)).isEqualTo(new byte[16]);
  }

  @Test
  void theSamePayloadIsSealedDifferentlyEachTime() {
    byte[] payload = "secret".getBytes(UTF_8);
    byte[] one = SealedPayload.seal(payload, KEY).text();
    byte[] two = SealedPayload.seal(payload, KEY).text();
    assertThat(one).isNotEqualTo(two).hasSameSizeAs(two);
    assertThat(new SecretView(one, 1).open(KEY)).isEqualTo(payload);
    assertThat(new SecretView(two, 1).open(KEY)).isEqualTo(payload);
  }

  @Test
  void whatWasAlteredIsNotOpened() {
    String sealed = new String(SealedPayload.seal(new byte[100], KEY).text(), UTF_8);
    int at = sealed.indexOf("ciphertext") + 30;
    char other = sealed.charAt(at) == 'A' ? 'B' : 'A';
    String altered = sealed.substring(0, at) + other + sealed.substring(at + 1);
    assertThatExceptionOfType(WrongKeyException.class).isThrownBy(() -> view(altered).open(KEY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "{}",
        "{\"version\":2,\"iv\":\"AAAA\",\"ciphertext\":\"AAAA\"}",
        "{\"version\":1,\"iv\":\"AAAAAAAAAAAAAAAA\",\"ciphertext\":\"AAAA\"}",
        "{\"version\":1,\"iv\":\"AAAA\",\"ciphertext\":\"AAAAAAAAAAAAAAAAAAAAAAAA\"}",
        "{\"version\":1,\"iv\":\"AAAAAAAAAAAAAAAA\",\"ciphertext\":\"A\"}",
        "{\"version\":1,\"iv\":\"AAAA\",\"ciphertext\":\"A+==\"}",
        "{\"version\":1,\"iv\":\"AAAA\",\"ciphertext\":\"\"}"
      })
  void whatIsNotASealOfThisVersionIsRefused(String text) {
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> view(text).open(KEY))
        .matches(e -> e.code() == Code.INVALID_ARGUMENT);
  }

  @Test
  void aKeyHas32Bytes() {
    SealingKey key = SealingKey.random();
    assertThat(SealingKey.of(key.text()).text()).isEqualTo(key.text()).hasSize(43);
    for (String bad : new String[] {"", "short", key.text() + "AA", "+".repeat(43)}) {
      assertThatExceptionOfType(SyncGuardException.class).isThrownBy(() -> SealingKey.of(bad));
    }
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(() -> SealingKey.of(new byte[16]));
  }

  @Test
  void nothingThatIsSecretIsShown() {
    SealingKey key = SealingKey.random();
    SecretId id = SecretId.random();
    assertThat(key.toString()).doesNotContain(key.text());
    assertThat(id.toString()).contains(id.hash()).doesNotContain(id.value());
    assertThat(view("secret").toString()).isEqualTo("SecretView[6 bytes, remaining=1]");
  }

  private static String text(String version, String iv, String ciphertext) {
    return String.format(
        "{\"version\":%s,\"iv\":\"%s\",\"ciphertext\":\"%s\"}", version, iv, ciphertext);
  }

  private static SecretView view(String text) {
    return new SecretView(text.getBytes(UTF_8), 1);
  }
}
