package io.syncguard.redis.lock;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.redis.RedisOptions;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
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

/** The records that a Node client left: SyncGuard reads the same in them, and writes the same. */
class RedisVectorsTest extends OnOneRedis {

  private static final long LEFT_MS = 25_000;

  private final Map<String, Store> byPrefix = new HashMap<>();

  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream file =
        RedisVectorsTest.class.getResourceAsStream("/redis-lock-records.json")) {
      return StreamSupport.stream(new ObjectMapper().readTree(file).spliterator(), false);
    }
  }

  private RecordedLock load(JsonNode vector) {
    return RecordedLock.load(vector, contents, contents.nowMs() + LEFT_MS);
  }

  private Store client(RecordedLock lock) {
    return byPrefix.computeIfAbsent(
        lock.text("prefix"), prefix -> open(RedisOptions.defaults().withKeyPrefix(prefix)));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void theLockIsSeenAndKeepsOthersOut(JsonNode vector) {
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

    assertThat(ask(client(lock), new LockOperation.FindByKey(key))).contains(expected);
    assertThat(ask(client(lock), new LockOperation.FindById(lock.lockId()))).contains(expected);
    assertThat(ask(client(lock), new LockOperation.IsLocked(key))).isTrue();
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
  void anExtensionLeavesEverythingElseAsItWas(JsonNode vector) {
    RecordedLock lock = load(vector);
    Map<String, String> expected = contents.values();

    LockReference itsId = new LockReference(lock.lockId(), null);
    Extended extended =
        (Extended) ask(client(lock), new LockOperation.Extend(itsId, TTL.plus(TTL)));

    String expiresAtMs = Long.toString(extended.expiresAt().toEpochMilli());
    expected.replaceAll(
        (key, value) -> value.replace(Long.toString(lock.expiresAtMs()), expiresAtMs));
    assertThat(contents.values()).isEqualTo(expected);
    assertExpiries(lock, lock.lockId(), extended.expiresAt());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void theNextLockWritesTheSameInItsPlace(JsonNode vector) {
    RecordedLock lock = load(vector);
    Map<String, String> theirs = contents.values();

    assertThat(release(client(lock), new LockReference(lock.lockId(), null)))
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
