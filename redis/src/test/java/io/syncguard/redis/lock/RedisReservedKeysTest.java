package io.syncguard.redis.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.lock.LockReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of users that would be SyncGuard's own. */
class RedisReservedKeysTest extends OnOneRedis {

  @ParameterizedTest
  @ValueSource(strings = {"id:", "id:x", "fence:", "fence:syncguard:x"})
  void aKeyThatWouldBeOneOfSyncGuardsIsRefused(String key) {
    ResourceKey resource = ResourceKey.of(key);
    EveryOperation.byKey(resource, LockId.random())
        .values()
        .forEach(operation -> assertFails(Code.INVALID_ARGUMENT, () -> operation.accept(store)));
    assertFails(
        Code.INVALID_ARGUMENT,
        () ->
            store
                .locks()
                .watch(
                    new LockReference(LockId.random(), resource), WaiterHints.looking(() -> {})));
    assertThat(contents.all()).isEmpty();
  }

  @Test
  void aHoldersIndexCannotBeLockedAway() {
    LockHandle lock = take(locks, "k", TTL);
    assertFails(Code.INVALID_ARGUMENT, () -> locks.tryLock("id:" + lock.lockId().value()));
    assertThat(locks.owns(lock.lockId())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "fence", "ids:1", "ID:1", ":id:1", "a:id:1", "fences:1", " id:1"})
  void aKeyThatOnlyResemblesOneOfSyncGuardsIsFine(String key) {
    try (LockHandle lock = take(locks, key, TTL)) {
      assertThat(contents.values())
          .containsOnlyKeys(
              "syncguard:" + key,
              "syncguard:id:" + lock.lockId().value(),
              "syncguard:fence:syncguard:" + key);
    }
  }

  @Test
  void eachPrefixIsANamespaceOfItsOwn() {
    RedisStore other = open(RedisOptions.defaults().withKeyPrefix("my:app:"));
    LockId lockId = LockId.random();
    acquire(other, "k", lockId);
    assertThat(contents.values())
        .containsOnlyKeys("my:app:k", "my:app:id:" + lockId.value(), "my:app:fence:my:app:k");
    assertThat(locks.isLocked("k")).isFalse();
    assertThat(locks.owns(lockId)).isFalse();
  }
}
