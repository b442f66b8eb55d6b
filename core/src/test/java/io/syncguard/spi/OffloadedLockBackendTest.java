package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OffloadedLockBackendTest {

  private static final ResourceKey KEY = ResourceKey.of("key");

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
