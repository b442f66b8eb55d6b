package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.script.RedisScript;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The scripts to the millisecond: each runs in one with a preamble that writes a record of the
 * wanted age by the very clock that the script then decides by.
 */
class RedisBoundariesTest extends OnOneRedis {

  private static final String WRITE_RECORD =
      """
      do
        local time = redis.call('TIME')
        local expires = math.floor(time[1] * 1000 + time[2] / 1000) - %d
        local record = string.format('{"key":"k","lockId":"AAAAAAAAAAAAAAAAAAAAAA",'
          .. '"fence":"000000000000007","acquiredAtMs":1,"expiresAtMs":%%d}', expires)
        redis.call('SET', 'syncguard:k', record)
        redis.call('SET', 'syncguard:id:AAAAAAAAAAAAAAAAAAAAAA', 'syncguard:k')
      end
      """;

  private static final String LOCK_KEY = "syncguard:k";
  private static final String MARK = "C" + "P".repeat(22);
  private static final String INDEX_KEY = "syncguard:id:AAAAAAAAAAAAAAAAAAAAAA";

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "900, true", "1000, false", "1001, false"})
  void everyScriptDrawsTheLineASecondAfterTheExpiry(int ageMs, boolean live) {
    assertThat(run(RedisScript.IS_LOCKED, ageMs, List.of(LOCK_KEY))).isEqualTo(live ? 1L : 0L);
    assertThat(run(RedisScript.LOOKUP, ageMs, List.of(LOCK_KEY)) != null).isEqualTo(live);
    assertThat(run(RedisScript.LOOKUP_BY_ID, ageMs, List.of(INDEX_KEY)) != null).isEqualTo(live);
    assertThat(run(RedisScript.RELEASE, ageMs, List.of(INDEX_KEY), MARK))
        .isEqualTo(live ? 1L : -2L);
    assertThat((Long) run(RedisScript.EXTEND, ageMs, List.of(INDEX_KEY), "30000", "35000") > 0)
        .isEqualTo(live);
    Object acquired =
        run(
            RedisScript.ACQUIRE,
            ageMs,
            List.of(LOCK_KEY, "syncguard:id:BBBBBBBBBBBBBBBBBBBBBB", "syncguard:fence:syncguard:k"),
            "{\"key\":\"k\",\"lockId\":\"BBBBBBBBBBBBBBBBBBBBBB\",\"fence\":\"",
            "30000",
            "35000",
            MARK + ".");
    assertThat(acquired instanceof Long).as("held by the other").isEqualTo(live);
  }

  @Test
  void aWaiterIsToldWhenTheLockCouldBeTaken() {
    assertThat(
            (Long)
                run(
                    RedisScript.ACQUIRE,
                    -5000,
                    List.of(LOCK_KEY, "syncguard:id:BBBBBBBBBBBBBBBBBBBBBB", "fence"),
                    "{\"key\":\"k\",\"lockId\":\"BBBBBBBBBBBBBBBBBBBBBB\",\"fence\":\"",
                    "30000",
                    "35000",
                    MARK + "."))
        .isBetween(5900L, 6000L);
  }

  @ParameterizedTest
  @CsvSource({"-30000, 0", "1500, 0", "1900, 0", "2001, 1", "4000, 1"})
  void cleanupDrawsItTwoSecondsAfterTheExpiry(int ageMs, long deleted) {
    assertThat(run(RedisScript.CLEANUP, ageMs, List.of(LOCK_KEY), "syncguard:id:"))
        .isEqualTo(deleted);
    assertThat(contents.all()).hasSize(deleted == 1 ? 0 : 2);
  }

  private Object run(RedisScript script, int ageMs, List<String> keys, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add("EVAL");
    command.add(WRITE_RECORD.formatted(ageMs) + script.source());
    command.add(Integer.toString(keys.size()));
    command.addAll(keys);
    command.addAll(List.of(arguments));
    return server.command(command.toArray(String[]::new));
  }
}
