package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys that, as ids of documents, would be another document, another collection, or none. */
class HostileKeysTest extends OnFirestore {

  private static final List<String> HOSTILE =
      Stream.of(
              Stream.of("a", "/a", "a/", "//a", "a//b", "a/b", "a/b/c", "a/b/c/d", "/"),
              Stream.of(".", "..", "%2E", "__x__", "____", "%5F_x__", "__", "__x", "x__"),
              Stream.of("%", "%2Fa", "%252Fa", "/".repeat(512), "%".repeat(512)))
          .flatMap(keys -> keys)
          .toList();

  @Test
  void aSlashInFrontMakesAnotherLock() {
    LockId plain = LockId.random();
    LockId slashed = LockId.random();
    assertThat(acquire("b", plain)).isInstanceOf(AcquireAttempt.Granted.class);
    assertThat(acquire("/b", slashed)).isInstanceOf(AcquireAttempt.Granted.class);
    assertThat(
            ask(store, new LockOperation.Release(new LockReference(slashed, ResourceKey.of("/b")))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(ask(store, new LockOperation.IsLocked(ResourceKey.of("b")))).isTrue();
    assertThat(ask(store, new LockOperation.IsLocked(ResourceKey.of("/b")))).isFalse();
    ask(store, new LockOperation.Release(new LockReference(plain, null)));
  }

  @Test
  void eachHasADocumentAndACounterOfItsOwn() throws Exception {
    Map<String, LockId> held = new HashMap<>();
    for (String key : HOSTILE) {
      LockId lockId = LockId.random();
      assertThat(acquire(key, lockId)).as(key).isInstanceOf(AcquireAttempt.Granted.class);
      held.put(key, lockId);
    }
    assertThat(ids("locks")).hasSize(HOSTILE.size());
    assertThat(ids("fence_counters")).hasSizeGreaterThanOrEqualTo(HOSTILE.size());
    for (String key : HOSTILE) {
      assertThat(
              ask(store, new LockOperation.FindByKey(ResourceKey.of(key))).orElseThrow().lockId())
          .isEqualTo(held.get(key));
      assertThat(ask(store, new LockOperation.FindById(held.get(key))).orElseThrow().key())
          .isEqualTo(key);
      assertThat(ask(store, new LockOperation.Release(new LockReference(held.get(key), null))))
          .isEqualTo(ReleaseResult.RELEASED);
    }
    assertThat(ids("locks")).isEmpty();
  }
}
