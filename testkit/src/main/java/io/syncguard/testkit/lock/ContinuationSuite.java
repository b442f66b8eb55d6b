package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.testkit.internal.UserThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Where code of the user's runs, and that a lock is given back whatever that code does. */
public interface ContinuationSuite extends LockSuite {

  @Test
  default void aContinuationMayBlockInACallOfTheSameGuard() {
    List<CompletionStage<Boolean>> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String key = newKey();
      asked.add(locks().async().lock(key).thenApply(mine -> locks().isLocked(key)));
    }
    assertThat(asked).allSatisfy(locked -> assertThat(join(locked)).isTrue());
  }

  @Test
  default void continuationsRunInTheUsersThreadsAlone() {
    try (UserThreads threads = new UserThreads(1)) {
      Locks mine = open(guardOptions().withExecutor(threads)).locks();
      String key = newKey();
      LockHandle held = take(otherLocks(), key, LONG);
      LockHandle lock =
          threads.continues(() -> mine.async().lock(key, ContentionSuite.PATIENT), held::close);
      threads.continues(() -> mine.async().isLocked(key));
      threads.continues(() -> mine.async().getByKey(key));
      threads.continues(() -> mine.async().getById(lock.lockId()));
      threads.continues(() -> mine.async().owns(lock.lockId()));
      threads.continues(() -> mine.async().extend(lock.lockId(), LONG));
      threads.continues(() -> lock.extendAsync(LONG));
      threads.continues(lock::releaseAsync);
      threads.continues(() -> mine.async().release(lock.lockId()));
      LockHandle again = (LockHandle) threads.continues(() -> mine.async().tryLock(key, LONG));
      Thread task =
          threads.continues(
              () ->
                  mine.async()
                      .call(
                          key,
                          ContentionSuite.PATIENT,
                          running -> CompletableFuture.completedFuture(Thread.currentThread())),
              again::close);
      assertThat(threads.has(task)).isTrue();
    }
  }

  @Test
  default void continuationsThatAllBlockNeedNoFurtherThread() {
    try (UserThreads threads = new UserThreads(2)) {
      Locks mine = open(guardOptions().withExecutor(threads)).locks();
      List<CompletionStage<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        String key = newKey();
        all.add(
            mine.async()
                .lock(key)
                .thenApply(
                    lock -> {
                      take(mine, key + ":nested", LONG).close();
                      join(lock.releaseAsync());
                      return join(mine.async().isLocked(key));
                    }));
      }
      assertThat(all).allSatisfy(locked -> assertThat(join(locked)).isFalse());
    }
  }

  @Test
  default void aLockIsNotLostToAnExecutorThatRefuses() {
    Locks mine =
        open(guardOptions()
                .withExecutor(
                    task -> {
                      throw new RejectedExecutionException("shut down");
                    }))
            .locks();
    String key = newKey();
    CompletableFuture<LockHandle> granted = new CompletableFuture<>();
    LockHandle held = take(otherLocks(), key, LONG);
    mine.async().lock(key, ContentionSuite.PATIENT).thenAccept(granted::complete);
    held.close();
    join(granted).close();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void whoCancelsTheFutureOfAWaitLeavesTheLockToOthers() throws InterruptedException {
    String key = newKey();
    LockHandle held = take(otherLocks(), key, LONG);
    CompletableFuture<LockHandle> waiting =
        locks().async().lock(key, ContentionSuite.PATIENT).toCompletableFuture();
    CompletableFuture<AcquireResult> attempt =
        locks().async().tryLock(key + ":free", LONG).toCompletableFuture();
    waiting.cancel(true);
    attempt.cancel(true);
    held.close();
    LockHandle next = otherLocks().lock(key, ContentionSuite.PATIENT);
    next.close();
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());
    if (attempt.isCancelled()) {
      eventually(() -> assertThat(otherLocks().isLocked(key + ":free")).isFalse());
    }
  }

  @Test
  default void aCallThatIsGivenUpWhileItWaitsHoldsNoLock() throws InterruptedException {
    List<Consumer<CompletableFuture<Void>>> waysToGiveUp =
        List.of(
            future -> future.cancel(true),
            future -> future.complete(null),
            future -> future.orTimeout(1, TimeUnit.MILLISECONDS).exceptionally(e -> null).join());
    for (Consumer<CompletableFuture<Void>> giveUp : waysToGiveUp) {
      String key = newKey();
      LockHandle held = take(otherLocks(), key, LONG);
      AtomicBoolean ran = new AtomicBoolean();
      CompletableFuture<Void> call =
          locks()
              .async()
              .<Void>call(
                  key,
                  ContentionSuite.PATIENT.withTtl(LONG),
                  lock -> {
                    ran.set(true);
                    return CompletableFuture.completedFuture(null);
                  })
              .toCompletableFuture();
      giveUp.accept(call);
      held.close();
      otherLocks().lock(key, ContentionSuite.PATIENT).close();
      eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());
      assertThat(ran).isFalse();
    }
  }

  @Test
  default void aCallThatIsGivenUpWhileItsTaskRunsKeepsTheLockUntilTheTaskIsDone()
      throws InterruptedException {
    String key = newKey();
    CompletableFuture<Void> work = new CompletableFuture<>();
    CompletableFuture<LockHandle> begun = new CompletableFuture<>();
    CompletableFuture<Void> call =
        locks()
            .async()
            .call(
                key,
                lock -> {
                  begun.complete(lock);
                  return work;
                })
            .toCompletableFuture();
    LockHandle lock = join(begun);
    call.cancel(true);
    assertThat(lock.isHeld()).isTrue();
    assertThat(otherLocks().isLocked(key)).isTrue();
    work.complete(null);
    eventually(() -> assertThat(otherLocks().isLocked(key)).isFalse());
  }

  @Test
  default void aTaskThatThrowsAnErrorOrReturnsNothingLeavesNoLock() {
    String key = newKey();
    assertThatThrownBy(
            () ->
                locks()
                    .async()
                    .<Void>call(
                        key,
                        lock -> {
                          throw new AssertionError("planted");
                        })
                    .toCompletableFuture()
                    .join())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseInstanceOf(AssertionError.class);
    assertThat(otherLocks().isLocked(key)).isFalse();
    Function<LockHandle, CompletionStage<Void>> nothing = NullStage::stage;
    assertThatThrownBy(() -> locks().async().call(key, nothing).toCompletableFuture().join())
        .hasRootCauseInstanceOf(NullPointerException.class);
    assertThat(otherLocks().isLocked(key)).isFalse();
    take(otherLocks(), key, Duration.ofMinutes(1)).close();
  }

  /** What a task returns that forgets its stage. */
  final class NullStage {

    private NullStage() {}

    @SuppressWarnings("NullAway")
    static CompletionStage<Void> stage(LockHandle lock) {
      return null;
    }
  }
}
