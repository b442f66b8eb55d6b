package io.syncguard.redis.lock;

import com.fasterxml.jackson.databind.JsonNode;
import io.syncguard.lock.LockId;
import io.syncguard.redis.RedisContents;
import io.syncguard.spi.ResourceKey;

/** A recorded lock, with its times moved so that it is alive. */
record RecordedLock(JsonNode vector, long moved, long expiresAtMs) {

  private static final long TTL_MS = 30_000;

  /** Stores what was recorded; as the other client left it, keys go when the lock expires. */
  static RecordedLock load(JsonNode vector, RedisContents to, long expiresAtMs) {
    RecordedLock lock =
        new RecordedLock(vector, expiresAtMs - vector.get("expiresAtMs").asLong(), expiresAtMs);
    vector
        .get("stored")
        .properties()
        .forEach(
            stored ->
                to.put(
                    stored.getKey(),
                    lock.value(stored.getValue()),
                    stored.getValue().get("hasTtl").asBoolean()
                        ? expiresAtMs
                        : RedisContents.NEVER));
    return lock;
  }

  String text(String field) {
    return vector.get(field).asText();
  }

  LockId lockId() {
    return LockId.of(text("lockId"));
  }

  String lockKey() {
    return text("prefix") + ":" + ResourceKey.of(text("key")).value();
  }

  String fenceKey() {
    return text("prefix") + ":fence:" + lockKey();
  }

  private String value(JsonNode stored) {
    long expires = vector.get("expiresAtMs").asLong();
    return stored
        .get("value")
        .asText()
        .replace(Long.toString(expires), Long.toString(expiresAtMs))
        .replace(Long.toString(expires - TTL_MS), Long.toString(expires - TTL_MS + moved));
  }

  /** Returns a text of SyncGuard's with the id, the fence and the times of this lock. */
  String inItsTerms(String ours, LockId ourId, String ourFence, long ourExpiresAtMs) {
    return ours.replace(ourId.value(), text("lockId"))
        .replace(ourFence, text("fence"))
        .replace(Long.toString(ourExpiresAtMs), Long.toString(expiresAtMs))
        .replace(Long.toString(ourExpiresAtMs - TTL_MS), Long.toString(expiresAtMs - TTL_MS));
  }
}
