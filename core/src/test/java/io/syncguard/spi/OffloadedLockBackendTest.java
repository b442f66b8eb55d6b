package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OffloadedLockBackendTest {

  private static final ResourceKey KEY = ResourceKey.of("key");
  private static final Duration HOUR = Duration.ofHours(1);

  private final Store store = StoreProvider.openStore("memory:", new HandMovedTime());

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void theOperationRunsInTheExecutorOnly() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    CompletionStage<Boolean> locked =
        AsyncLockBackend.of(store.locks(), tasks::add).isLocked(KEY, CancelSignal.never());
    assertThat(locked).isNotCompleted();

    tasks.remove().run();

    assertThat(locked).isCompletedWithValue(false);
    assertThat(tasks).isEmpty();
  }

  @Test
  void aFailureCompletesTheStageWithItself() {
    store.close();

    assertFailsWithServiceUnavailable(AsyncLockBackend.of(store.locks(), Runnable::run));
  }

  @Test
  void anExecutorThatTakesNothingFailsTheStageAndNotTheCall() {
    assertFailsWithServiceUnavailable(
        AsyncLockBackend.of(
            store.locks(),
            task -> {
              throw new RejectedExecutionException("planted");
            }));
  }

  @Test
  void anOperationThatNoThreadComesToEndsByItsTimeAndIsNotCarriedOut() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    AcquireRequest request =
        new AcquireRequest(KEY, LockId.random(), HOUR, false, Duration.ofMillis(20));
    AsyncLockBackend backend = AsyncLockBackend.of(store.locks(), tasks::add, HOUR);
    CompletionStage<AcquireAttempt> acquiring = backend.acquire(request, CancelSignal.never());

    assertThat(acquiring).failsWithin(Duration.ofSeconds(10));

    tasks.remove().run();
    assertThat(store.locks().isLocked(KEY, CancelSignal.never())).isFalse();
  }

  @Test
  void theTimeThatItWaitedForAThreadIsPartOfItsTime() {
    AtomicReference<AcquireRequest> asked = new AtomicReference<>();
    LockBackend noting =
        (LockBackend)
            Proxy.newProxyInstance(
                LockBackend.class.getClassLoader(),
                new Class<?>[] {LockBackend.class},
                (proxy, method, arguments) -> {
                  asked.set((AcquireRequest) arguments[0]);
                  return null;
                });
    Queue<Runnable> tasks = new ArrayDeque<>();
    AcquireRequest request = new AcquireRequest(KEY, LockId.random(), HOUR, false);
    AsyncLockBackend.of(noting, tasks::add, HOUR).acquire(request, CancelSignal.never());

    tasks.remove().run();

    assertThat(asked.get().timeout()).isLessThan(HOUR);
  }

  @Test
  void anOperationThatNoThreadComesToIsCancelledAndNotCarriedOut() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    AcquireRequest request = new AcquireRequest(KEY, LockId.random(), HOUR, false);
    CancelSignal signal = CancelSignal.create();
    CompletionStage<AcquireAttempt> acquiring =
        AsyncLockBackend.of(store.locks(), tasks::add).acquire(request, signal);

    signal.cancel();

    assertThat(acquiring).isCompletedExceptionally();
    tasks.remove().run();
    assertThat(store.locks().isLocked(KEY, CancelSignal.never())).isFalse();
  }

  private static void assertFailsWithServiceUnavailable(AsyncLockBackend backend) {
    CompletionStage<Throwable> failure =
        backend.isLocked(KEY, CancelSignal.never()).handle((locked, thrown) -> thrown);

    assertThat(failure)
        .isCompletedWithValueMatching(
            thrown ->
                thrown instanceof SyncGuardException e
                    && e.code() == SyncGuardException.Code.SERVICE_UNAVAILABLE);
  }
}
