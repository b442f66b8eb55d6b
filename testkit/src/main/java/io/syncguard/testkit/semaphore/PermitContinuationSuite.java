package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.testkit.internal.UserThreads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Where code of the user's runs that continues when there is a permit. */
public interface PermitContinuationSuite extends SemaphoreSuite {

  @Test
  default void aContinuationWithAPermitMayBlock() {
    String name = newName();
    FairSemaphore slots = guard().semaphore(name, 1);
    Permit held = SemaphoreSuite.take(otherGuard().semaphore(name, 1));
    CompletionStage<Boolean> asked =
        slots.async().acquire(PATIENCE).thenApply(permit -> slots.isLocked());
    held.close();
    assertThat(asked.toCompletableFuture().join()).isTrue();
  }

  @Test
  default void continuationsOfPermitsRunInTheUsersThreads() {
    try (UserThreads threads = new UserThreads(1)) {
      String name = newName();
      FairSemaphore slots = open(guardOptions().withExecutor(threads)).semaphore(name, 1);
      Permit held = SemaphoreSuite.take(otherGuard().semaphore(name, 1));
      Permit permit = threads.continues(() -> slots.async().acquire(PATIENCE), held::close);
      threads.continues(() -> slots.async().stats());
      threads.continues(() -> slots.async().isLocked());
      threads.continues(permit::releaseAsync);
      threads.continues(() -> slots.async().tryAcquire());
      threads.continues(() -> slots.async().resize(2));
    }
  }

  @Test
  default void aPermitThatComesTooLateIsGivenBack() throws InterruptedException {
    String name = newName();
    FairSemaphore slots = guard().semaphore(name, 1);
    CompletableFuture<Optional<Permit>> attempt = slots.async().tryAcquire().toCompletableFuture();
    if (attempt.cancel(true)) {
      eventually(() -> assertThat(acquired(name)).isZero());
    } else {
      attempt.join().ifPresent(Permit::close);
    }
    Permit held = slots.acquire(PATIENCE);
    CompletableFuture<Permit> waiting = slots.async().acquire(PATIENCE).toCompletableFuture();
    waiting.cancel(true);
    held.close();
    eventually(() -> assertThat(acquired(name)).isZero());
    assertThat(waiting(name)).isZero();
  }
}
