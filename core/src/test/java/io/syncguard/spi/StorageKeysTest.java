package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageKeysTest {

  @ParameterizedTest
  @ValueSource(strings = {"app", "app:", "app:::"})
  void colonsAtTheEndOfAPrefixDoNotCount(String prefix) {
    StorageKeys keys = new StorageKeys(prefix, 1000, 26);

    assertThat(keys.prefix()).isEqualTo("app");
    assertThat(keys.of("key")).isEqualTo("app:key");
    assertThat(keys).isEqualTo(new StorageKeys("app", 1000, 26));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "::"})
  void aPrefixOfColonsIsNone(String prefix) {
    assertThat(new StorageKeys(prefix, 1000, 26).of("key")).isEqualTo("key");
  }

  @Test
  void colonsWithinAPrefixStay() {
    assertThat(new StorageKeys(":my::app:", 1000, 26).of("key")).isEqualTo(":my::app:key");
  }

  @Test
  void aPrefixIsNormalizedAsAKeyIs() {
    assertThat(new StorageKeys("e\u0301", 1000, 26).of("e\u0301")).isEqualTo("\u00E9:\u00E9");
  }

  @ParameterizedTest
  @CsvSource({"'', 974", "app, 970"})
  void aNameIsShortenedFromTheFirstByteTooMany(String prefix, int longest) {
    StorageKeys keys = new StorageKeys(prefix, 1000, 26);

    assertThat(keys.of("x".repeat(longest))).endsWith("xx").hasSize(974);
    assertThat(keys.of("x".repeat(longest + 1)))
        .matches(prefix.isEmpty() ? "[A-Za-z0-9_-]{22}" : "app:[A-Za-z0-9_-]{22}");
  }

  @Test
  void bytesCountNotCharacters() {
    StorageKeys keys = new StorageKeys("", 100, 0);

    assertThat(keys.of("\u00E9".repeat(50))).hasSize(50);
    assertThat(keys.of("\u00E9".repeat(51))).hasSize(22);
  }

  @Test
  void theSameLongKeyHasDifferentDigestsUnderDifferentPrefixes() {
    String key = "x".repeat(2000);
    String under1 = new StorageKeys("p1", 1000, 26).of(key);
    String under2 = new StorageKeys("p2", 1000, 26).of(key);

    assertThat(under1.substring(3)).isNotEqualTo(under2.substring(3));
  }

  @Test
  void aPrefixThatLeavesNoRoomIsRefused() {
    StorageKeys roomy = new StorageKeys("p".repeat(951), 1000, 26);
    StorageKeys cramped = new StorageKeys("p".repeat(952), 1000, 26);

    assertThat(roomy.of("x".repeat(512)).getBytes(StandardCharsets.UTF_8)).hasSize(974);
    Failure.ofBadArgument(() -> cramped.of("x".repeat(512)));
  }

  @Test
  void differentKeysNeverShareAFenceCounterShortenedOrNot() {
    StorageKeys keys = new StorageKeys("p", 100, 26);
    Set<String> fences = new HashSet<>();

    for (int length = 1; length <= 512; length++) {
      fences.add(keys.fenceOf("x".repeat(length)));
    }

    assertThat(fences).hasSize(512);
  }
}
