package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.StorageKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever clients in other languages answered for an identifier, this one answers too. */
class IdentifierVectorsTest {

  private static final String KEY_WITH_NUL = "\0nul";

  private static final JsonNode VECTORS = load();

  @ParameterizedTest(name = "{index}")
  @MethodSource
  void hashKey(JsonNode vector) {
    assertThat(KeyHash.of(text(vector, "input"))).isEqualTo(text(vector, "hash"));
  }

  static Stream<JsonNode> hashKey() {
    return section("hashKey");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource
  void normalizeAndValidateKey(JsonNode vector) {
    assertVector(vector, "value", () -> ResourceKey.of(text(vector, "input")).value());
  }

  static Stream<JsonNode> normalizeAndValidateKey() {
    return section("normalizeAndValidateKey").filter(v -> !isTheKeyWithNul(v));
  }

  @Test
  void aKeyWithNulIsRefusedAlthoughOtherClientsTakeIt() {
    JsonNode accepted =
        section("normalizeAndValidateKey")
            .filter(IdentifierVectorsTest::isTheKeyWithNul)
            .findAny()
            .orElseThrow();

    assertThat(text(accepted, "value")).isEqualTo(KEY_WITH_NUL);
    Failure.ofBadArgument(() -> ResourceKey.of(KEY_WITH_NUL));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource
  void makeStorageKey(JsonNode vector) {
    assertVector(vector, "value", () -> storageKeys(vector).of(text(vector, "key")));
  }

  static Stream<JsonNode> makeStorageKey() {
    return section("makeStorageKey");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource
  void fenceKey(JsonNode vector) {
    StorageKeys keys = storageKeys(vector);

    assertThat(keys.of(text(vector, "key"))).isEqualTo(text(vector, "base"));
    assertThat(keys.fenceOf(text(vector, "key"))).isEqualTo(text(vector, "fence"));
  }

  static Stream<JsonNode> fenceKey() {
    return section("fenceKey");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource
  void formatFence(JsonNode vector) {
    Fence fence = Fence.of(vector.get("input").longValue());

    assertThat(fence).hasToString(text(vector, "fence"));
    assertThat(Fence.parse(text(vector, "fence"))).isEqualTo(fence);
  }

  static Stream<JsonNode> formatFence() {
    return section("formatFence");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource
  void validateLockId(JsonNode vector) {
    String input = text(vector, "input");

    assertThat(LockId.isValid(input)).isEqualTo(vector.get("valid").booleanValue());
    if (vector.get("valid").booleanValue()) {
      assertThat(LockId.of(input).value()).isEqualTo(input);
    } else {
      Failure.ofBadArgument(() -> LockId.of(input));
    }
  }

  static Stream<JsonNode> validateLockId() {
    return section("validateLockId");
  }

  @Test
  void everyVectorIsRun() {
    assertThat(VECTORS).as("sections").hasSize(6);
    assertThat(hashKey()).hasSize(43);
    assertThat(normalizeAndValidateKey()).as("without the key with NUL").hasSize(47);
    assertThat(section("normalizeAndValidateKey")).hasSize(48);
    assertThat(makeStorageKey()).hasSize(306);
    assertThat(fenceKey()).hasSize(87);
    assertThat(formatFence()).hasSize(7);
    assertThat(validateLockId()).hasSize(9);
  }

  private static void assertVector(JsonNode vector, String field, Supplier<String> call) {
    if (vector.has("error")) {
      assertThat(text(vector, "error")).isEqualTo("InvalidArgument");
      Failure.ofBadArgument(call::get);
    } else {
      assertThat(call.get()).isEqualTo(text(vector, field));
    }
  }

  private static StorageKeys storageKeys(JsonNode vector) {
    return new StorageKeys(
        text(vector, "prefix"),
        vector.get("limitBytes").intValue(),
        vector.get("reserveBytes").intValue());
  }

  private static boolean isTheKeyWithNul(JsonNode vector) {
    return text(vector, "input").equals(KEY_WITH_NUL);
  }

  private static Stream<JsonNode> section(String name) {
    return StreamSupport.stream(VECTORS.get(name).spliterator(), false);
  }

  private static String text(JsonNode vector, String field) {
    return vector.get(field).textValue();
  }

  private static JsonNode load() {
    try (InputStream json = IdentifierVectorsTest.class.getResourceAsStream("/identifiers.json")) {
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
