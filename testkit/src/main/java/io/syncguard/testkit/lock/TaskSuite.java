package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockLostException;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.test.MovableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * A task is protected while it runs, and a loss does not go unnoticed. Core's time is the test's;
 * extensions are made in the thread that moves it.
 */
public interface TaskSuite extends LockSuite {

  @Test
  default void aTaskThatRunsLongerThanTheLifetimeKeepsItsLock() {
    MovableTime time = MovableTime.frozen();
    String key = newKey();
    String result =
        on(time)
            .call(
                key,
                lock -> {
                  pass(Duration.ofMinutes(9), time);
                  assertThat(lock.isHeld()).isTrue();
                  return "done";
                });
    assertThat(result).isEqualTo("done");
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aTaskIsProtectedForTenMinutesUnlessSaidOtherwise() {
    MovableTime time = MovableTime.frozen();
    String key = newKey();
    LockLostException loss =
        assertLost(() -> on(time).call(key, lock -> passed(Duration.ofMinutes(10), time)));
    assertThat(loss.result()).isEqualTo(Duration.ofMinutes(10));
    assertThat(loss.subject().name()).isEqualTo(key);
    assertThat(loss).hasMessageNotContaining(key);
    assertThat(otherLocks().isLocked(key)).isFalse();

    LockOptions longer = LockOptions.defaults().withAutoExtend(Duration.ofMinutes(20));
    on(time).run(newKey(), longer, lock -> pass(Duration.ofMinutes(19), time));
    LockOptions lasting = LockOptions.defaults().withTtl(LONG);
    on(time).run(newKey(), lasting, lock -> pass(Duration.ofMinutes(59), time));
  }

  @Test
  default void aTaskUnderAFixedLeaseIsNotProtectedAfterIt() {
    MovableTime time = MovableTime.frozen();
    FaultyClient client = openFaultyInPlace(GuardOptions.defaults().withTimeSource(time));
    LockOptions fixed = LockOptions.defaults().withFixedLease();
    client.locks().run(newKey(), fixed, lock -> pass(Duration.ofSeconds(29), time));
    assertThat(client.faults().operations()).isEqualTo(2);

    LockLostException loss =
        assertLost(
            () -> client.locks().run(newKey(), fixed, lock -> pass(Duration.ofSeconds(30), time)));
    assertThat(loss.result()).isNull();
  }

  @Test
  default void aLockThatWasTakenAwayFromItsTaskFailsTheCall() {
    String key = newKey();
    LockLostException loss =
        assertLost(
            () ->
                locks()
                    .call(
                        key,
                        lock -> {
                          otherLocks().release(lock.lockId());
                          return take(otherLocks(), key, LONG);
                        }));
    LockHandle next = (LockHandle) Objects.requireNonNull(loss.result());
    assertThat(otherLocks().owns(next.lockId())).isTrue();
    next.close();
  }

  @Test
  default void whatTheTaskThrowsWinsAndCarriesTheLoss() {
    assertThatThrownBy(
            () ->
                locks()
                    .run(
                        newKey(),
                        lock -> {
                          otherLocks().release(lock.lockId());
                          throw new IOException("from the task");
                        }))
        .isExactlyInstanceOf(IOException.class)
        .satisfies(
            e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(LockLostException.class))
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  default void aTaskThatReleasesItsLockItselfLosesNothing() {
    MovableTime time = MovableTime.frozen();
    on(time)
        .run(
            newKey(),
            lock -> {
              lock.close();
              pass(Duration.ofMinutes(11), time);
            });
  }

  @Test
  default void anAsynchronousTaskIsProtectedAndItsLossFailsTheCall() {
    MovableTime time = MovableTime.frozen();
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> kept = call(on(time), work).toCompletableFuture();
    pass(Duration.ofMinutes(9), time);
    work.complete("done");
    assertThat(kept.join()).isEqualTo("done");

    CompletableFuture<String> tooLong = new CompletableFuture<>();
    CompletableFuture<String> lost = call(on(time), tooLong).toCompletableFuture();
    pass(Duration.ofMinutes(10), time);
    tooLong.complete("too late");
    LockLostException loss = assertLost(() -> LockSuite.join(lost));
    assertThat(loss.result()).isEqualTo("too late");

    CompletableFuture<String> failing = new CompletableFuture<>();
    CompletableFuture<String> failed = call(on(time), failing).toCompletableFuture();
    pass(Duration.ofMinutes(10), time);
    failing.completeExceptionally(new IOException("from the task"));
    CompletionException thrown = catchThrowableOfType(CompletionException.class, failed::join);
    assertThat(thrown).hasCauseExactlyInstanceOf(IOException.class);
    assertThat(Objects.requireNonNull(thrown.getCause()).getSuppressed())
        .hasExactlyElementsOfTypes(LockLostException.class);
  }

  private CompletionStage<String> call(Locks locks, CompletionStage<String> work) {
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    CompletionStage<String> result =
        locks
            .async()
            .call(
                newKey(),
                lock -> {
                  begun.complete(true);
                  return work;
                });
    begun.join();
    return result;
  }

  @Test
  default void aHandleIsNotExtendedUnlessAskedFor() {
    MovableTime time = MovableTime.frozen();
    try (LockHandle lock = on(time).lock(newKey())) {
      pass(LockOptions.DEFAULT_TTL, time);
      assertThat(lock.isHeld()).isFalse();
    }
  }

  private static LockLostException assertLost(ThrowingCallable call) {
    LockLostException loss = catchThrowableOfType(LockLostException.class, call);
    assertThat(loss).as("the loss").isNotNull();
    assertThat(loss.code()).isEqualTo(Code.LOCK_LOST);
    assertThat(loss.isTransient()).isFalse();
    return loss;
  }

  private static Duration passed(Duration duration, MovableTime time) {
    pass(duration, time);
    return duration;
  }

  private static void pass(Duration duration, MovableTime time) {
    for (int i = 0; i < duration.toSeconds(); i++) {
      time.advance(Duration.ofSeconds(1));
    }
  }

  private Locks on(MovableTime time) {
    return openInPlace(GuardOptions.defaults().withTimeSource(time), UnaryOperator.identity())
        .locks();
  }
}
