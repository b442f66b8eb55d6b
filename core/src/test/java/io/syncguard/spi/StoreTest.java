package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.lock.LockBackend;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store need not have everything, and says so. */
class StoreTest {

  private final Store memory = StoreProvider.openStore("memory:", TimeSource.system());
  private final Store locksOnly =
      new Store() {
        @Override
        public LockBackend locks() {
          return memory.locks();
        }

        @Override
        public void close() {
          memory.close();
        }
      };
  private final SyncGuard guard = SyncGuard.over(locksOnly);

  @AfterEach
  void close() {
    guard.close();
  }

  @Test
  void whatAStoreLacksIsRefusedClearly() {
    assertRefused(guard::semaphores, "Semaphores");
    assertRefused(guard::secrets, "Secrets");
    assertRefused(guard::counters, "Counters");
    assertRefused(() -> guard.rateLimiter("n", 1, Duration.ofSeconds(1), 1), "rate limiters");
    assertRefused(locksOnly::scanLocks, "Listing locks");
    assertRefused(locksOnly::scanSemaphores, "Listing semaphores");
  }

  private static void assertRefused(Runnable use, String what) {
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(use::run)
        .withMessageContainingAll(what, "not supported by this store")
        .matches(e -> e.code() == SyncGuardException.Code.INVALID_ARGUMENT);
  }
}
