package io.syncguard.test;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What one test works with. */
final class TestedGuard implements AutoCloseable {

  private final MovableTime time;
  private final Store store;
  private final SyncGuard guard;

  TestedGuard(boolean frozen) {
    this.time = frozen ? MovableTime.frozen() : MovableTime.flowing();
    this.store = StoreProvider.openStore("memory:", time);
    // The store ends with the test, so closing need not wait for what a test has left held.
    this.guard =
        SyncGuard.over(store, GuardOptions.defaults().withTimeSource(time).withKeepOnClose());
  }

  SyncGuard guard() {
    return guard;
  }

  MovableTime time() {
    return time;
  }

  /**
   * With the keys as they are: they are those of a test. A test that has closed its guard has
   * closed the store with it.
   */
  void failIfAnythingIsHeld() {
    if (isClosed()) {
      return;
    }
    List<String> held = new ArrayList<>();
    forAll(store.scanLocks(), (RawLockInfo lock) -> held.add("the lock '" + lock.key() + "'"));
    forAll(
        store.scanSemaphores(),
        (SemaphoreStats semaphore) -> {
          if (semaphore.acquired() > 0) {
            held.add(semaphore.acquired() + " permits of '" + semaphore.name() + "'");
          }
        });
    if (!held.isEmpty()) {
      throw new AssertionError(
          "The test has left held: "
              + String.join(", ", held)
              + ". Close handles and permits, or use allowingLeftovers()");
    }
  }

  private boolean isClosed() {
    try {
      guard.locks().isLocked("is it closed?");
      return false;
    } catch (SyncGuardException e) {
      return true;
    }
  }

  private static <T> void forAll(Scan<T> scan, Consumer<T> action) {
    for (Optional<List<T>> page = scan.next(CancelSignal.never());
        page.isPresent();
        page = scan.next(CancelSignal.never())) {
      page.get().forEach(action);
    }
  }

  @Override
  public void close() {
    guard.close();
  }
}
