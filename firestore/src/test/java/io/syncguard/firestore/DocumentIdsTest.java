package io.syncguard.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.ResourceKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentIdsTest {

  private static String ofLock(String key) {
    return DocumentIds.ofLock(ResourceKey.of(key));
  }

  private static String ofFence(String key) {
    return DocumentIds.ofFence(ResourceKey.of(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"resource:123", "日本語", "a b", "...", "_x_", "__x", "x__", "__", "fence:a"})
  void whatFirestoreTakesStandsAsItIs(String key) {
    assertThat(ofLock(key)).isEqualTo(key);
    assertThat(ofFence(key)).isEqualTo("fence:" + key);
  }

  @ParameterizedTest
  @CsvSource({
    "/a,%2Fa",
    "a/b/c,a%2Fb%2Fc",
    "%2Fa,%252Fa",
    ".,%2E",
    "..,%2E%2E",
    "__x__,%5F_x__",
    "____,%5F___"
  })
  void whatItWouldTakeForSomethingElseIsEncoded(String key, String id) {
    assertThat(ofLock(key)).isEqualTo(id);
  }

  @Test
  void aFenceCounterNeedsNoCareForReservedIds() {
    assertThat(ofFence(".")).isEqualTo("fence:.");
    assertThat(ofFence("a/b")).isEqualTo("fence:a%2Fb");
  }

  @Test
  void anIdThatEncodingMakesTooLongIsShortened() {
    String slashes = "/".repeat(ResourceKey.MAX_BYTES);
    assertThat(ofLock(slashes)).hasSize(22);
    assertThat(ofFence(slashes)).hasSize(22).isNotEqualTo(ofLock(slashes));
    assertThat(ofLock("/".repeat(500)).getBytes(UTF_8)).hasSize(1500);
  }
}
