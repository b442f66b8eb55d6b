package io.syncguard.redis;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisOptionsTest {

  static Stream<String> unusablePrefixes() {
    return Stream.of(
        "",
        ":",
        ":::",
        "id",
        "fence",
        "id:",
        "a:id",
        "a:fence:",
        "id:a",
        "fence:a",
        "a:id:b",
        "a{b",
        "a}b",
        "{a}",
        "a\0b",
        "x".repeat(201),
        "\u00e9".repeat(101),
        "cafe\u0301",
        "\u212b");
  }

  @ParameterizedTest
  @MethodSource("unusablePrefixes")
  void aPrefixThatCannotBeUsedIsRefused(String prefix) {
    assertFails(Code.INVALID_ARGUMENT, () -> RedisOptions.defaults().withKeyPrefix(prefix));
  }

  @Test
  void whatIsNotInNfcIsRefusedWithTheReason() {
    String decomposed = "cafe\u0301";
    assertThat(
            assertFails(
                Code.INVALID_ARGUMENT,
                () -> RedisUri.parse("redis://h?keyPrefix=cafe%CC%81", RedisOptions.defaults())))
        .hasMessageContaining("A key prefix must be in Unicode's form NFC")
        .hasMessageNotContaining(decomposed);
    assertThat(
            assertFails(
                Code.INVALID_ARGUMENT,
                () -> RedisOptions.defaults().withSemaphoreNamespace(decomposed)))
        .hasMessageContaining("A semaphore namespace must be in Unicode's form NFC");
    assertThat(RedisOptions.defaults().withSemaphoreNamespace("caf\u00e9").semaphoreNamespace())
        .isEqualTo("caf\u00e9");
  }

  @ParameterizedTest
  @CsvSource({
    "my:app, my:app",
    "my:app:, my:app",
    "a:::, a",
    "ids, ids",
    "my-id, my-id",
    "Fence, Fence"
  })
  void aPrefixIsTakenWithoutTheColonsAtItsEnd(String given, String taken) {
    assertThat(RedisOptions.defaults().withKeyPrefix(given).keyPrefix()).isEqualTo(taken);
  }

  @Test
  void aPrefixMayHaveTwoHundredBytes() {
    String prefix = "\u00e9".repeat(100);
    assertThat(RedisOptions.defaults().withKeyPrefix(prefix).keyPrefix()).isEqualTo(prefix);
  }

  @Test
  void theDefaultsAreWhatTheyPromise() {
    RedisOptions defaults = RedisOptions.defaults();
    assertThat(defaults.keyPrefix()).isEqualTo("syncguard");
    assertThat(defaults.fences()).isEqualTo(RedisOptions.Fences.COUNTED);
    assertThat(defaults.releases()).isEqualTo(RedisOptions.Releases.GRANT);
    assertThat(defaults.cleanupInIsLocked()).isFalse();
    assertThat(defaults.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void eachOptionIsSetWithoutChangingTheOthers() {
    RedisOptions all =
        RedisOptions.defaults()
            .withKeyPrefix("p")
            .withFences(RedisOptions.Fences.SURVIVE_DATA_LOSS)
            .withReleases(RedisOptions.Releases.TELL)
            .withCleanupInIsLocked(true)
            .withCommandTimeout(Duration.ofMillis(1));
    assertThat(all.keyPrefix()).isEqualTo("p");
    assertThat(all.fences()).isEqualTo(RedisOptions.Fences.SURVIVE_DATA_LOSS);
    assertThat(all.releases()).isEqualTo(RedisOptions.Releases.TELL);
    assertThat(all.cleanupInIsLocked()).isTrue();
    assertThat(all.commandTimeout()).isEqualTo(Duration.ofMillis(1));
    assertThat(all.withKeyPrefix("q").cleanupInIsLocked()).isTrue();
    assertThat(RedisOptions.defaults().keyPrefix()).isEqualTo("syncguard");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aCommandTakesSomeTime(long millis) {
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(millis)));
  }
}
