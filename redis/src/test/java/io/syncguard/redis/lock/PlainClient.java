package io.syncguard.redis.lock;

import io.syncguard.lock.LockId;
import io.syncguard.testkit.server.RedisServer;
import java.util.List;
import java.util.OptionalLong;

/** A client in another language, which has the scripts of seed 001 and knows no queue. */
final class PlainClient {

  private static final String TTL_MS = "30000";
  private static final String TOLERANCE_MS = "1000";

  private static final String ACQUIRE =
      """
      local time = redis.call('TIME')
      local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
      local existingData = redis.call('GET', KEYS[1])
      if existingData then
        local data = cjson.decode(existingData)
        if data.expiresAtMs > (nowMs - tonumber(ARGV[3])) then
          return 0
        end
        if data.lockId then
          redis.call('DEL', KEYS[2])
        end
      end
      local fence = string.format("%015d", redis.call('INCR', KEYS[3]))
      local expiresAtMs = nowMs + tonumber(ARGV[2])
      local lockData = cjson.encode({lockId = ARGV[1], expiresAtMs = expiresAtMs,
        acquiredAtMs = nowMs, key = ARGV[5], fence = fence})
      redis.call('SET', KEYS[1], lockData, 'PX', ARGV[2])
      redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[2])
      return {1, fence, expiresAtMs}
      """;

  private static final String RELEASE =
      """
      local time = redis.call('TIME')
      local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
      local lockKey = redis.call('GET', KEYS[1])
      if not lockKey then return -1 end
      local lockData = redis.call('GET', lockKey)
      if not lockData then return -1 end
      local data = cjson.decode(lockData)
      if data.expiresAtMs <= (nowMs - tonumber(ARGV[2])) then
        redis.call('DEL', lockKey, KEYS[1])
        return -2
      end
      if data.lockId ~= ARGV[1] then return 0 end
      redis.call('DEL', lockKey, KEYS[1])
      return 1
      """;

  private final RedisServer server;
  private final String key;
  private LockId lockId = LockId.random();

  PlainClient(RedisServer server, String key) {
    this.server = server;
    this.key = key;
  }

  /** Returns whether it has the lock now. */
  boolean acquire() {
    return acquireFenced().isPresent();
  }

  /** Returns the fence, if it has the lock now. */
  OptionalLong acquireFenced() {
    lockId = LockId.random();
    String lockKey = "syncguard:" + key;
    Object answer =
        server.command(
            "EVAL",
            ACQUIRE,
            "3",
            lockKey,
            indexKey(),
            "syncguard:fence:" + lockKey,
            lockId.value(),
            TTL_MS,
            TOLERANCE_MS,
            lockKey,
            key);
    return answer instanceof List<?> granted
        ? OptionalLong.of(Long.parseLong(String.valueOf(granted.get(1))))
        : OptionalLong.empty();
  }

  /** Returns whether it had the lock until now. */
  boolean release() {
    return Long.valueOf(1)
        .equals(server.command("EVAL", RELEASE, "1", indexKey(), lockId.value(), TOLERANCE_MS));
  }

  private String indexKey() {
    return "syncguard:id:" + lockId.value();
  }
}
