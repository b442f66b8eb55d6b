package io.syncguard.testkit.lock;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.LockBackend;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.FaultyLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the suites of locks have to work with. */
public interface LockSuite extends StoreSuite {

  /** A lifetime that a test can wait for. */
  Duration SHORT = Duration.ofMillis(200);

  /** The time after which a lock of the {@link #SHORT} lifetime is surely gone. */
  Duration UNTIL_SHORT_IS_OVER = SHORT.plusMillis(Liveness.TOLERANCE_MS + 50);

  /** Returns the locks as one client sees them. */
  default Locks locks() {
    return guard().locks();
  }

  /** Returns the same locks as another client sees them. */
  default Locks otherLocks() {
    return otherGuard().locks();
  }

  /** Opens a further client with something between it and its locks, closed after the test. */
  default SyncGuard openWithLocks(GuardOptions options, UnaryOperator<LockBackend> decoration) {
    return open(options, store -> new DecoratedStore(store, decoration));
  }

  /** A client of the store under test that fails on request. */
  record FaultyClient(SyncGuard guard, FaultyLockBackend store) {

    /** Returns its locks. */
    public Locks locks() {
      return guard.locks();
    }
  }

  /** Opens a further client that fails on request, closed after the test. */
  default FaultyClient openFaulty(GuardOptions options) {
    List<FaultyLockBackend> store = new ArrayList<>();
    SyncGuard guard =
        openWithLocks(
            options,
            backend -> {
              store.add(new FaultyLockBackend(backend));
              return store.get(0);
            });
    return new FaultyClient(guard, store.get(0));
  }

  /** Returns a key that no other test uses. */
  default String newKey() {
    return newName();
  }

  /** Takes a lock that must be free. */
  static LockHandle take(Locks locks, String key, Duration ttl) {
    AcquireResult result = locks.tryLock(key, ttl);
    Assertions.assertThat(result).isInstanceOf(LockHandle.class);
    return (LockHandle) result;
  }

  /** Asserts that something fails with a code. */
  static SyncGuardException assertFails(SyncGuardException.Code code, ThrowingCallable action) {
    SyncGuardException failure = Assertions.catchThrowableOfType(SyncGuardException.class, action);
    Assertions.assertThat(failure).as("a failure with code %s", code).isNotNull();
    Assertions.assertThat(failure.code()).isEqualTo(code);
    return failure;
  }

  /** Waits for a stage and throws what it failed with, as a blocking call would. */
  static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof SyncGuardException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
