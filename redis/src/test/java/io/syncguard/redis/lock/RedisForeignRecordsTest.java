package io.syncguard.redis.lock;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that mean the same as SyncGuard's, however another client may spell them. */
class RedisForeignRecordsTest extends OnOneRedis {

  /** Numbers are compared digit by digit: some are longer than a double is exact. */
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

  static Stream<Spelling> orders() {
    return Spelling.everyOrder();
  }

  static Stream<Spelling> spellings() {
    return Spelling.unusual();
  }

  static Stream<Spelling> keys() {
    return HostileKeys.spellings();
  }

  @ParameterizedTest
  @MethodSource("orders")
  void fieldsMayComeInAnyOrder(Spelling spelling) throws JsonProcessingException {
    assertThatAllOperationsUnderstand(spelling);
  }

  @ParameterizedTest
  @MethodSource("spellings")
  void jsonMayBeSpelledInAnyWay(Spelling spelling) throws JsonProcessingException {
    assertThatAllOperationsUnderstand(spelling);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyMayLookLikeAnything(Spelling spelling) throws JsonProcessingException {
    assertThatAllOperationsUnderstand(spelling);
  }

  private void assertThatAllOperationsUnderstand(Spelling spelling) throws JsonProcessingException {
    ForeignLock lock = ForeignLock.on(spelling.key());
    long expiresAtMs = contents.nowMs() + 20_000;
    String record = spelling.of(lock, expiresAtMs);
    lock.store(contents, record, expiresAtMs);

    assertSeen(lock, expiresAtMs);
    for (LockReference reference :
        new LockReference[] {
          new LockReference(lock.lockId(), lock.resource()), new LockReference(lock.lockId(), null)
        }) {
      Extended extended = (Extended) ask(store, new LockOperation.Extend(reference, TTL));
      assertExtended(lock, record, extended);
      lock.store(contents, record, expiresAtMs);
      assertThat(release(store, reference)).isEqualTo(ReleaseResult.RELEASED);
      assertThat(contents.values()).isEqualTo(Map.of(lock.fenceKey(), "7"));
      lock.store(contents, record, expiresAtMs);
    }
  }

  private void assertSeen(ForeignLock lock, long expiresAtMs) {
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(ask(store, new LockOperation.IsLocked(lock.resource()))).isTrue();
    RawLockInfo seen = ask(store, new LockOperation.FindByKey(lock.resource())).orElseThrow();
    assertThat(ask(store, new LockOperation.FindById(lock.lockId()))).contains(seen);
    assertThat(seen.key()).isIn(lock.key(), "");
    assertThat(seen.lockId()).isEqualTo(lock.lockId());
    assertThat(seen.fence()).hasToString(ForeignLock.FENCE);
    assertThat(seen.expiresAt().toEpochMilli()).isEqualTo(expiresAtMs);

    assertThat(acquire(store, lock.key(), LockId.random())).isInstanceOf(Held.class);
    assertThat(acquire(store, lock.key(), lock.lockId()))
        .isEqualTo(new Granted(seen.fence(), seen.expiresAt()));
    assertThat(release(lock.key(), LockId.random())).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(contents.all()).isEqualTo(before);
  }

  private void assertExtended(ForeignLock lock, String record, Extended extended)
      throws JsonProcessingException {
    JsonNode expected = JSON.readTree(record);
    JsonNode now = JSON.readTree(contents.values().get(lock.lockKey()));
    assertThat(now.get("expiresAtMs").asLong()).isEqualTo(extended.expiresAt().toEpochMilli());
    ((ObjectNode) expected).set("expiresAtMs", now.get("expiresAtMs"));
    assertThat(now).isEqualTo(expected);
    assertBothOutlive(extended.expiresAt(), lock.lockKey(), lock.indexKey());
  }
}
