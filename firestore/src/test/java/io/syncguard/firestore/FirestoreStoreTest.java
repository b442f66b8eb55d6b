package io.syncguard.firestore;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import org.junit.jupiter.api.Test;

class FirestoreStoreTest extends OnFirestore {

  @Test
  void aUriOpensIt() {
    try (SyncGuard guard = SyncGuard.open(FirestoreFixture.newProjectUri() + "&timeout=30s")) {
      assertThat(guard.locks().capabilities().timeAuthority()).isEqualTo(TimeAuthority.CLIENT);
      assertThat(guard.locks().capabilities().fencing()).isTrue();
      assertThat(take(guard.locks(), "k", TTL).release()).isEqualTo(ReleaseResult.RELEASED);
    }
  }

  @Test
  void whatItDoesNotHaveItRefuses() {
    try (SyncGuard guard = SyncGuard.over(fixture.openClient())) {
      assertThat(assertFails(Code.INVALID_ARGUMENT, () -> guard.semaphore("s", 1)))
          .hasMessageContaining("not supported by this store");
      assertThat(assertFails(Code.INVALID_ARGUMENT, guard::secrets))
          .hasMessageContaining("not supported by this store");
      assertThat(assertFails(Code.INVALID_ARGUMENT, guard::counters))
          .hasMessageContaining("not supported by this store");
    }
  }

  @Test
  void aClientThatTheCallerHasStaysOpen() throws Exception {
    try (FirestoreStore over = FirestoreStore.over(firestore(), FirestoreFixture.PATIENT)) {
      assertThat(over.locks()).isSameAs(over.locks());
    }
    assertThat(ids("nothing")).isEmpty();
  }
}
