package io.syncguard.redis.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.spi.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What no client writes: every operation refuses it and leaves it as it is, for a person to look
 * at.
 */
class RedisCorruptRecordsTest extends OnOneRedis {

  private static final String OURS =
      "{\"key\":\"k\",\"lockId\":\"$id\",\"fence\":\"000000000000007\",\"acquiredAtMs\":1,\"expiresAtMs\":";

  private static final String FENCE = "\"fence\":\"000000000000007\",\"expiresAtMs\":$expires}";

  private Store surviving;

  @BeforeAll
  void openClientWithOtherFences() {
    surviving = open(RedisOptions.defaults().withFences(Fences.SURVIVE_DATA_LOSS));
  }

  static Stream<Named<String>> damagedRecords() {
    Map<String, String> records = new LinkedHashMap<>();
    records.put("empty", "");
    records.put("not JSON", "hello");
    records.put("a number", "5");
    records.put("null", "null");
    records.put("a list", "[]");
    records.put("a record in a list", "[" + OURS + "$expires}]");
    records.put("an empty object", "{}");
    records.put("cut off before its end", OURS + "$expires");
    records.put("cut off in the middle", OURS.substring(0, 60));
    records.put("something after it", OURS + "$expires}x");
    records.put("something before it", "x" + OURS + "$expires}");
    records.put("NUL after it", OURS + "$expires}\0");
    records.put("NUL within it", OURS.replace("\"k\"", "\"k\0\"") + "$expires}");
    records.put("no lockId", "{" + FENCE);
    records.put("a lockId that is a number", "{\"lockId\":5," + FENCE);
    records.put("a lockId that is null", "{\"lockId\":null," + FENCE);
    records.put("a lockId in an object", "{\"lockId\":{\"a\":\"$id\"}," + FENCE);
    records.put("no expiry", "{\"lockId\":\"$id\",\"fence\":\"000000000000007\"}");
    records.put("an expiry that is text", OURS + "\"$expires\"}");
    records.put("an expiry that is null", OURS + "null}");
    records.put("an expiry that is true", OURS + "true}");
    records.put("an expiry that is empty", OURS + "}");
    records.put("an expiry that is NaN", OURS + "NaN}");
    records.put("an expiry that is infinite", OURS + "Infinity}");
    records.put("an expiry that is out of range", OURS + "1e300}");
    records.put("an expiry with letters", OURS + "17947x27770060}");
    records.put("no fence", "{\"lockId\":\"$id\",\"expiresAtMs\":$expires}");
    records.put(
        "a fence that is a number", "{\"lockId\":\"$id\",\"fence\":7,\"expiresAtMs\":$expires}");
    records.put("a fence of 14 digits", OURS.replace("\"0", "\"") + "$expires}");
    records.put("a fence of 16 digits", OURS.replace("\"0", "\"00") + "$expires}");
    records.put("a fence with letters", OURS.replace("7\"", "x\"") + "$expires}");
    return records.entrySet().stream().map(record -> Named.of(record.getKey(), record.getValue()));
  }

  @ParameterizedTest
  @MethodSource("damagedRecords")
  void aDamagedRecordIsRefusedAndLeftAsItIs(String template) {
    ForeignLock lock = ForeignLock.on("k");
    long expiresAtMs = contents.nowMs() + 20_000;
    lock.store(
        contents,
        template
            .replace("$id", lock.lockId().value())
            .replace("$expires", Long.toString(expiresAtMs)),
        expiresAtMs);
    assertAllFail(Code.INTERNAL, EveryOperation.onLock(lock.resource(), lock.lockId()));
  }

  @Test
  void aKeyOfAnotherTypeIsRefusedAndLeftAsItIs() {
    ForeignLock lock = ForeignLock.on("k");
    server.command("RPUSH", lock.lockKey(), "a", "b");
    contents.put(lock.indexKey(), lock.lockKey(), RedisContents.NEVER);
    assertAllFail(Code.INVALID_ARGUMENT, EveryOperation.onLock(lock.resource(), lock.lockId()));
  }

  @Test
  void anIndexKeyOfAnotherTypeIsRefusedAndLeftAsItIs() {
    ForeignLock lock = ForeignLock.on("k");
    server.command("RPUSH", lock.indexKey(), "a", "b");
    assertAllFail(Code.INVALID_ARGUMENT, EveryOperation.byLockId(lock.lockId()));
  }

  @Test
  void anIndexThatLeadsToAFenceCounterFreesNothing() {
    ForeignLock lock = ForeignLock.on("k");
    contents.put(lock.fenceKey(), "7", RedisContents.NEVER);
    contents.put(lock.indexKey(), lock.fenceKey(), RedisContents.NEVER);
    assertAllFail(Code.INTERNAL, EveryOperation.byLockId(lock.lockId()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "abc", "1.5", "1.0", "1e3", "0x1F", " 7", "7 ", "-1", "nan", "inf", "{}", "7\0"
      })
  void aCounterThatIsNoCountIsRefusedAndLeftAsItIs(String counter) {
    ForeignLock lock = ForeignLock.on("k");
    contents.put(lock.fenceKey(), counter, RedisContents.NEVER);
    assertAllFail(Code.INTERNAL, Map.of("acquire", by -> acquire(by, "k", LockId.random())));

    lock.storeExpired(contents, 3000);
    contents.put(lock.fenceKey(), counter, RedisContents.NEVER);
    assertAllFail(Code.INTERNAL, Map.of("take over", by -> acquire(by, "k", LockId.random())));
  }

  @Test
  void aCounterOfAnotherTypeIsRefusedAndLeftAsItIs() {
    server.command("RPUSH", ForeignLock.on("k").fenceKey(), "7");
    assertAllFail(
        Code.INVALID_ARGUMENT, Map.of("acquire", by -> acquire(by, "k", LockId.random())));
  }

  private void assertAllFail(Code code, Map<String, Consumer<Store>> operations) {
    Map<String, RedisContents.Entry> before = contents.all();
    for (Entry<String, Consumer<Store>> operation : operations.entrySet()) {
      for (Store asked : new Store[] {store, surviving}) {
        assertFails(code, () -> operation.getValue().accept(asked));
        assertThat(contents.all()).as(operation.getKey()).isEqualTo(before);
      }
    }
  }
}
