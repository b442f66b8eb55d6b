package io.syncguard.redis;

import io.syncguard.testkit.server.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that a server holds, as a client sees it that knows nothing of SyncGuard. */
public final class RedisContents {

  /** An expiry that never comes. */
  public static final long NEVER = -1;

  private static final String READ_ALL =
      """
      local all = {}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        local kind = redis.call('TYPE', key).ok
        local value = kind == 'string' and redis.call('GET', key)
          or kind == 'zset' and table.concat(redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), ' ')
          or table.concat(redis.call('LRANGE', key, 0, -1), ' ')
        all[#all + 1] = {key, kind, value, redis.call('PEXPIRETIME', key)}
      end
      return all
      """;

  private final RedisServer server;

  public RedisContents(RedisServer server) {
    this.server = server;
  }

  /**
   * What one key holds.
   *
   * @param expiresAtMs when Redis deletes it, or {@link #NEVER}
   */
  public record Entry(String type, String value, long expiresAtMs) {}

  /** Returns every key with what it holds; equal if, and only if, nothing was written meanwhile. */
  public Map<String, Entry> all() {
    Map<String, Entry> all = new TreeMap<>();
    for (Object found : (List<?>) server.command("EVAL", READ_ALL, "0")) {
      List<?> row = (List<?>) found;
      all.put(
          (String) row.get(0),
          new Entry((String) row.get(1), (String) row.get(2), (Long) row.get(3)));
    }
    return all;
  }

  /** Returns every key with its value alone. */
  public Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    all().forEach((key, entry) -> values.put(key, entry.value()));
    return values;
  }

  public void put(String key, String value, long expiresAtMs) {
    if (expiresAtMs == NEVER) {
      server.command("SET", key, value);
    } else {
      server.command("SET", key, value, "PXAT", Long.toString(expiresAtMs));
    }
  }

  /** Returns the time by the clock that decides, which is the server's. */
  public long nowMs() {
    List<?> time = (List<?>) server.command("TIME");
    return Long.parseLong((String) time.get(0)) * 1000
        + Long.parseLong((String) time.get(1)) / 1000;
  }
}
