package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.KeyHash;
import java.text.Normalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceKeyTest {

  private static final String HIGH = "\uD83D";
  private static final String LOW = "\uDE00";
  private static final String E_ACUTE = "\u00E9";
  private static final String E_AND_COMBINING_ACUTE = "e\u0301";

  @Test
  void anEmptyKeyIsRefused() {
    Failure.ofBadArgument(() -> ResourceKey.of(""));
  }

  @Test
  void noKeyIsRefusedInASentence() {
    assertThat(Failure.ofBadArgument(() -> ResourceKey.of(null)))
        .hasMessage("A key must not be null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\0", "a\0b", "ends\0", "\0" + E_ACUTE})
  void aKeyWithNulIsRefused(String key) {
    assertThat(Failure.ofBadArgument(() -> ResourceKey.of(key))).hasMessageContaining("NUL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HIGH,
        LOW,
        HIGH + "a",
        "a" + HIGH,
        LOW + "a",
        "a" + LOW,
        LOW + HIGH,
        HIGH + HIGH + LOW
      })
  void aLoneSurrogateIsRefused(String key) {
    assertThat(Failure.ofBadArgument(() -> ResourceKey.of(key))).hasMessageContaining("surrogate");
  }

  @Test
  void aSurrogatePairIsTaken() {
    assertThat(ResourceKey.of(HIGH + LOW).value()).isEqualTo(HIGH + LOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", E_ACUTE, HIGH + LOW})
  void aKeyOf512BytesIsTheLongest(String unit) {
    int bytes = unit.equals("a") ? 1 : unit.equals(E_ACUTE) ? 2 : 4;
    String longest = unit.repeat(ResourceKey.MAX_BYTES / bytes);

    assertThat(ResourceKey.of(longest).value()).isEqualTo(longest);
    assertThat(Failure.ofBadArgument(() -> ResourceKey.of(longest + "a")))
        .hasMessageContaining("has 513")
        .hasMessageNotContaining(longest);
  }

  @Test
  void theLengthCountsAfterNormalization() {
    String key = E_AND_COMBINING_ACUTE.repeat(256);

    assertThat(ResourceKey.of(key).value()).isEqualTo(E_ACUTE.repeat(256));
    Failure.ofBadArgument(() -> ResourceKey.of(E_AND_COMBINING_ACUTE.repeat(257)));
  }

  @Test
  void aKeyThatNormalizationMakesLongerIsMeasuredByItsNewLength() {
    String growing = "\u0958";
    assertThat(Normalizer.normalize(growing, Normalizer.Form.NFC)).hasSize(2);

    assertThat(ResourceKey.of(growing.repeat(85)).value()).hasSize(170);
    Failure.ofBadArgument(() -> ResourceKey.of(growing.repeat(86)));
  }

  @Test
  void twoSpellingsAreOneKey() {
    ResourceKey composed = ResourceKey.of(E_ACUTE);
    ResourceKey decomposed = ResourceKey.of(E_AND_COMBINING_ACUTE);

    assertThat(composed).isEqualTo(decomposed).hasSameHashCodeAs(decomposed);
    assertThat(composed).isNotEqualTo(ResourceKey.of("e")).isNotEqualTo(E_ACUTE);
  }

  @ParameterizedTest
  @ValueSource(strings = {" a ", "A", "\n", "\u007F", "id:a", "fence:a", "a:b/c"})
  void nothingElseIsChangedOrRefused(String key) {
    assertThat(ResourceKey.of(key).value()).isEqualTo(key);
  }

  @Test
  void itsTextGivesNothingAway() {
    ResourceKey key = ResourceKey.of("patient:4711");

    assertThat(key).hasToString("ResourceKey[" + KeyHash.of("patient:4711") + "]");
    assertThat(key.hash()).isEqualTo(KeyHash.of("patient:4711"));
  }
}
