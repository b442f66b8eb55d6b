package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is stored, by SyncGuard for Java and by clients in other languages. */
class StoredDocumentsTest extends OnFirestore {

  private String key;
  private LockId lockId;

  @BeforeEach
  void choose() {
    key = newKey();
    lockId = LockId.random();
  }

  @Test
  void aLockAndItsCounterHaveTheFieldsThatEveryClientReads() throws Exception {
    Granted granted = (Granted) acquire(key, lockId);
    long expiresAtMs = granted.expiresAt().toEpochMilli();
    assertThat(stored("locks", key))
        .containsOnly(
            Map.entry("key", key),
            Map.entry("lockId", lockId.value()),
            Map.entry("fence", "000000000000001"),
            Map.entry("acquiredAtMs", expiresAtMs - TTL.toMillis()),
            Map.entry("expiresAtMs", expiresAtMs));
    assertThat(stored("fence_counters", "fence:" + key))
        .containsOnly(Map.entry("fence", "000000000000001"), Map.entry("keyDebug", key));
  }

  @Test
  void anExtensionChangesTheExpiryOnlyAndAReleaseLeavesTheCounter() throws Exception {
    acquire(key, lockId);
    Map<String, Object> expected = new HashMap<>(stored("locks", key));
    Extended extended =
        (Extended)
            ask(
                store,
                new LockOperation.Extend(new LockReference(lockId, null), Duration.ofHours(1)));
    expected.put("expiresAtMs", extended.expiresAt().toEpochMilli());
    assertThat(stored("locks", key)).isEqualTo(expected);
    ask(store, new LockOperation.Release(new LockReference(lockId, null)));
    assertThat(stored("locks", key)).isNull();
    assertThat(stored("fence_counters", "fence:" + key)).containsEntry("fence", "000000000000001");
  }

  @Test
  void anothersLockIsSeenExtendedAndReleased() throws Exception {
    store("locks", key, lockFields(key, lockId, "000000000000041", TTL));
    store("fence_counters", "fence:" + key, Map.of("fence", "000000000000041", "keyDebug", key));
    assertThat(acquire(key, LockId.random())).isInstanceOf(Held.class);
    assertThat(ask(store, new LockOperation.FindByKey(ResourceKey.of(key))).orElseThrow().fence())
        .isEqualTo(Fence.of(41));
    assertThat(
            ask(store, new LockOperation.Extend(new LockReference(lockId, null), TTL)).isExtended())
        .isTrue();
    assertThat(ask(store, new LockOperation.Release(new LockReference(lockId, null))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(((Granted) acquire(key, LockId.random())).fence()).isEqualTo(Fence.of(42));
  }

  @Test
  void anothersExpiredLockIsTakenOver() throws Exception {
    store("locks", key, lockFields(key, lockId, "000000000000005", Duration.ofSeconds(-2)));
    store("fence_counters", "fence:" + key, Map.of("fence", "000000000000005", "keyDebug", key));
    LockId ours = LockId.random();
    assertThat(((Granted) acquire(key, ours)).fence()).isEqualTo(Fence.of(6));
    assertThat(
            ask(store, new LockOperation.Release(new LockReference(lockId, ResourceKey.of(key)))))
        .isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(ask(store, new LockOperation.FindById(ours))).isPresent();
  }

  @Test
  void numbersThatAnotherLanguageStoresAsFloatsAreRead() throws Exception {
    Map<String, Object> fields = lockFields(key, lockId, "000000000000001", TTL);
    fields.replaceAll(
        (name, value) -> value instanceof Long ms ? (Object) ms.doubleValue() : value);
    store("locks", key, fields);
    assertThat(ask(store, new LockOperation.FindById(lockId))).isPresent();
  }

  static Stream<Map<String, Object>> damage() {
    return Stream.of(
        Map.of("fence", "7"),
        Map.of("fence", 7L),
        Map.of("lockId", "short"),
        Map.of("expiresAtMs", "tomorrow"),
        Map.of("expiresAtMs", 0.5),
        Map.of("key", 1L));
  }

  @ParameterizedTest
  @MethodSource("damage")
  void aDamagedLockIsAnErrorAndStaysAsItIs(Map<String, Object> damage) throws Exception {
    String damaged = newKey();
    Map<String, Object> fields = lockFields(damaged, lockId, "000000000000001", TTL);
    fields.putAll(damage);
    store("locks", damaged, fields);
    ResourceKey resource = ResourceKey.of(damaged);
    assertFails(Code.INTERNAL, () -> acquire(damaged, LockId.random()));
    assertFails(Code.INTERNAL, () -> ask(store, new LockOperation.FindByKey(resource)));
    assertThat(stored("locks", damaged)).isEqualTo(fields);
    assertThat(stored("fence_counters", "fence:" + damaged)).isNull();
  }

  @Test
  void aCounterThatIsUsedUpOrDamagedStopsTheAcquireBeforeItWrites() throws Exception {
    for (String counter : new String[] {"900000000000000", "abc"}) {
      store("fence_counters", "fence:" + key, Map.of("fence", counter, "keyDebug", key));
      assertFails(Code.INTERNAL, () -> acquire(key, lockId));
      assertThat(stored("locks", key)).isNull();
      assertThat(stored("fence_counters", "fence:" + key)).containsEntry("fence", counter);
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "000000000000041, none, 000000000000042",
        "000000000000041, 000000000000007, 000000000000042",
        "000000000000007, 000000000000041, 000000000000042"
      })
  void theNextFenceIsGreaterThanTheCounterAndTheExpiredLocksOwn(
      String fence, @Nullable String counter, String next) throws Exception {
    String lost = newKey();
    store("locks", lost, lockFields(lost, lockId, fence, Duration.ofSeconds(-2)));
    if (counter != null) {
      store("fence_counters", "fence:" + lost, Map.of("fence", counter, "keyDebug", lost));
    }
    assertThat(((Granted) acquire(lost, LockId.random())).fence()).isEqualTo(Fence.parse(next));
    assertThat(stored("fence_counters", "fence:" + lost)).containsEntry("fence", next);
  }

  @Test
  void afterAnExpiredLockWithTheLastFenceThereIsNone() throws Exception {
    Map<String, Object> last = lockFields(key, lockId, "900000000000000", Duration.ofSeconds(-2));
    store("locks", key, last);
    assertFails(Code.INTERNAL, () -> acquire(key, LockId.random()));
    assertThat(stored("locks", key)).isEqualTo(last);
    assertThat(stored("fence_counters", "fence:" + key)).isNull();
  }

  @Test
  void otherCollectionsCanBeUsed() throws Exception {
    FirestoreStoreOptions options = FirestoreFixture.PATIENT.withCollections("L", "F");
    try (FirestoreStore other = FirestoreStore.over(firestore(), options, fixture.clock())) {
      acquire(other, key, lockId);
      assertThat(ids("L")).containsExactly(key);
      assertThat(ids("F")).containsExactly("fence:" + key);
      assertThat(stored("locks", key)).isNull();
    }
  }
}
