package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.RedisOptions;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.StorageKeys;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * That the longest prefix and the longest key make no name that would be shortened. How {@link
 * StorageKeys} shortens one is tested there.
 */
class LongestNamesTest {

  private static final int LONGEST_UNSHORTENED = 974;

  private static final String PREFIX =
      RedisOptions.defaults().withKeyPrefix("p".repeat(200)).keyPrefix();

  @ParameterizedTest
  @ValueSource(strings = {"k", "\u00e9"})
  void noNameIsShortened(String letter) {
    int bytes = letter.getBytes(StandardCharsets.UTF_8).length;
    ResourceKey key = ResourceKey.of(letter.repeat(ResourceKey.MAX_BYTES / bytes));
    for (KeyLayout layout : new KeyLayout[] {new PlainLayout(PREFIX), new ClusterLayout(PREFIX)}) {
      KeyLayout.Names names = layout.names(key);
      assertThat(Stream.of(names.lockKey(), names.fenceKey()))
          .allSatisfy(
              name -> {
                assertThat(name).startsWith(PREFIX).endsWith(key.value());
                assertThat(name.getBytes(StandardCharsets.UTF_8))
                    .hasSizeLessThanOrEqualTo(LONGEST_UNSHORTENED);
              });
    }
  }
}
