package io.syncguard.testkit.lock;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.Faults;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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

  /** Opens a further client whose changes of locks fail on request, closed after the test. */
  default FaultyClient openFaulty(GuardOptions options) {
    return openFaulty(options, faultsOfChanges());
  }

  /**
   * The same, with every operation {@linkplain StoreSuite#openInPlace answered in the thread that
   * asks}. Not for tests with waiters.
   */
  default FaultyClient openFaultyInPlace(GuardOptions options) {
    Faults faults = faultsOfChanges();
    return new FaultyClient(openInPlace(options, faults), faults);
  }

  private static Faults faultsOfChanges() {
    return Faults.on(
        LockOperation.Acquire.class,
        LockOperation.Release.class,
        LockOperation.KeepWaiting.class,
        LockOperation.Extend.class);
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
