package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt.Granted;
import io.syncguard.spi.AcquireAttempt.Held;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The records that a Node client left: we must see what it meant, and leave the same ourselves. */
class RedisVectorsTest extends OnOneRedis {

  private static final long LEFT_MS = 25_000;

  private final Map<String, LockBackend> byPrefix = new HashMap<>();

  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream file =
        RedisVectorsTest.class.getResourceAsStream("/redis-lock-records.json")) {
      return StreamSupport.stream(new ObjectMapper().readTree(file).spliterator(), false);
    }
  }

  private RecordedLock load(JsonNode vector) {
    return RecordedLock.load(vector, contents, contents.nowMs() + LEFT_MS);
  }

  private LockBackend client(RecordedLock lock) {
    return byPrefix.computeIfAbsent(
        lock.text("prefix"), prefix -> open(RedisOptions.defaults().withKeyPrefix(prefix)).locks());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void weSeeTheLockAndAreKeptOutByIt(JsonNode vector) {
    RecordedLock lock = load(vector);
    Map<String, RedisContents.Entry> before = contents.all();
    ResourceKey key = ResourceKey.of(lock.text("key"));
    RawLockInfo expected =
        new RawLockInfo(
            key.value(),
            lock.lockId(),
            Instant.ofEpochMilli(lock.expiresAtMs()),
            Instant.ofEpochMilli(lock.expiresAtMs() - 30_000),
            Fence.parse(lock.text("fence")));

    assertThat(client(lock).lookup(key, NEVER)).contains(expected);
    assertThat(client(lock).lookup(lock.lockId(), NEVER)).contains(expected);
    assertThat(client(lock).isLocked(key, NEVER)).isTrue();
    assertThat(acquire(client(lock), key.value(), LockId.random()))
        .isInstanceOfSatisfying(
            Held.class,
            held ->
                assertThat(held.remaining())
                    .isBetween(Duration.ofMillis(LEFT_MS - 5000), Duration.ofMillis(26_000)));
    assertThat(acquire(client(lock), key.value(), lock.lockId()))
        .isEqualTo(new Granted(expected.fence(), expected.expiresAt()));
    assertThat(contents.all()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void weExtendItAndLeaveEverythingElseAsItWas(JsonNode vector) {
    RecordedLock lock = load(vector);
    Map<String, String> expected = contents.values();

    LockReference itsId = new LockReference(lock.lockId(), null);
    Extended extended = (Extended) client(lock).extend(itsId, TTL.plus(TTL), NEVER);

    String expiresAtMs = Long.toString(extended.expiresAt().toEpochMilli());
    expected.replaceAll(
        (key, value) -> value.replace(Long.toString(lock.expiresAtMs()), expiresAtMs));
    assertThat(contents.values()).isEqualTo(expected);
    assertExpiries(lock, lock.lockId(), extended.expiresAt());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void weReleaseItAndWriteTheSameInItsPlace(JsonNode vector) {
    RecordedLock lock = load(vector);
    Map<String, String> theirs = contents.values();

    assertThat(client(lock).release(new LockReference(lock.lockId(), null), TTL))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(contents.values()).isEqualTo(Map.of(lock.fenceKey(), "2"));

    LockId ourId = LockId.random();
    Granted granted = (Granted) acquire(client(lock), lock.text("key"), ourId);

    assertThat(granted.fence()).hasToString("000000000000003");
    Map<String, String> ours = new TreeMap<>();
    contents
        .all()
        .forEach(
            (key, entry) -> {
              assertThat(entry.type()).isEqualTo("string");
              ours.put(
                  key.replace(ourId.value(), lock.lockId().value()),
                  lock.inItsTerms(
                      entry.value(),
                      ourId,
                      granted.fence().toString(),
                      granted.expiresAt().toEpochMilli()));
            });
    theirs.put(lock.fenceKey(), "3");
    assertThat(ours).isEqualTo(theirs);
    assertExpiries(lock, ourId, granted.expiresAt());
  }

  private void assertExpiries(RecordedLock lock, LockId lockId, Instant expiresAt) {
    assertBothOutlive(expiresAt, lock.lockKey(), lock.text("prefix") + ":id:" + lockId.value());
    assertThat(contents.all().get(lock.fenceKey()).expiresAtMs()).isEqualTo(RedisContents.NEVER);
  }
}
