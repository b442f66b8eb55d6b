package io.syncguard.testkit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.PipelinedBackend.ATTEMPT;
import static io.syncguard.testkit.PipelinedBackend.HAND_OVER;
import static io.syncguard.testkit.PipelinedBackend.RELEASE;
import static io.syncguard.testkit.PipelinedBackend.WATCHED_ATTEMPT;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.telemetry.LockEvent;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that passes a lock on to its own next waiter, over a store that takes orders ahead. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandOverTest {

  private static final String KEY = "k";
  private static final Duration LONG = Duration.ofHours(1);
  private static final LockOptions TOLD_ONLY =
      LockOptions.defaults()
          .withTtl(LONG)
          .withMaxWait(LONG)
          .withRetry(new RetryPolicy(10, LONG, Backoff.FIXED, Jitter.NONE));

  private final MovableTime time = MovableTime.frozen();
  private final Store store = StoreProvider.openStore("memory:", time);
  private final PipelinedBackend backend = new PipelinedBackend(store.locks());

  /** Nothing here blocks, and what a stage completes with is to be seen at once. */
  private final GuardOptions options =
      GuardOptions.defaults().withTimeSource(time).withExecutor(Runnable::run);

  private final Locks locks = new Locks(backend, options);
  private final Locks otherLocks = new Locks(store.locks(), GuardOptions.defaults());

  @AfterEach
  void close() {
    backend.letAnswersGo();
    locks.close();
    otherLocks.close();
    store.close();
  }

  private CompletableFuture<LockHandle> waiting() {
    return locks.async().lock(KEY, TOLD_ONLY).toCompletableFuture();
  }

  /** A holder that had to wait for the lock, and is known to have it by those behind it. */
  private LockHandle holderFromTheLine() {
    LockHandle first = take(otherLocks, KEY, LONG);
    CompletableFuture<LockHandle> waiting = waiting();
    first.close();
    backend.hint();
    LockHandle holder = waiting.join();
    backend.takeAsked();
    return holder;
  }

  @Test
  void theNextWaitersAttemptIsSentBeforeTheReleaseIsAnswered() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    backend.holdAnswers();

    CompletableFuture<?> release = holder.releaseAsync().toCompletableFuture();

    assertThat(backend.takeAsked()).containsExactly(RELEASE, ATTEMPT);
    assertThat(release).isNotDone();
    backend.letAnswersGo();
    assertThat(release).isCompleted();
    assertThat(next.join().fence().isNewerThan(holder.fence())).isTrue();
    assertThat(backend.takeAsked()).isEmpty();
  }

  @Test
  void aStoreThatCanPassesTheLockOnInOneStep() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    backend.handOverInOneStep();
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(backend.takeAsked()).containsExactly(HAND_OVER);
    assertThat(next.join().fence().isNewerThan(holder.fence())).isTrue();
  }

  @Test
  void aWaitThatIsCancelledWhileTheLockIsPassedOnEndsAtOnceAndFreesIt() {
    LockHandle holder = holderFromTheLine();
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<LockHandle> next =
        locks.cancelledBy(signal).async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    backend.handOverInOneStep();
    backend.holdAnswers();
    CompletableFuture<ReleaseResult> release = holder.releaseAsync().toCompletableFuture();
    signal.cancel();
    assertThat(next).isCompletedExceptionally();
    backend.letAnswersGo();
    assertThat(release).isCompletedWithValue(ReleaseResult.RELEASED);
    take(otherLocks, KEY, LONG).close();
  }

  @Test
  void aLockThatWasPassedOnIsReportedAsReleasedAndAcquired() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Locks observed = new Locks(Telemetry.to(events::add).observe(backend), options);
    LockHandle first = take(otherLocks, KEY, LONG);
    CompletableFuture<LockHandle> holder =
        observed.async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    first.close();
    backend.hint();
    CompletableFuture<LockHandle> next =
        observed.async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    backend.handOverInOneStep();
    holder.join().close();
    String from = holder.join().lockId().hash();
    String to = next.join().lockId().hash();
    eventually(
        () ->
            assertThat(events)
                .anyMatch(e -> e.type() == LockEvent.Type.RELEASE && from.equals(e.lockIdHash()))
                .anyMatch(e -> e.type() == LockEvent.Type.ACQUIRE && to.equals(e.lockIdHash())));
    observed.close();
  }

  @Test
  void aReleaseThatBlocksHandsOverToo() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    assertThat(holder.release().isReleased()).isTrue();
    assertThat(backend.takeAsked()).containsExactly(RELEASE, ATTEMPT);
    assertThat(next.join().isHeld()).isTrue();
  }

  @Test
  void whoArrivesWhileItsOwnProcessHoldsTheLockAsksNothing() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    assertThat(backend.takeAsked()).isEmpty();
    holder.close();
    assertThat(next).isCompleted();
  }

  @Test
  void whoArrivesAsksInTheEndBecauseAnotherProcessMayHaveReleasedTheLock() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    otherLocks.release(holder.lockId());
    time.advance(Duration.ofMillis(10));
    assertThat(backend.takeAsked()).containsExactly(WATCHED_ATTEMPT);
    assertThat(next).isCompleted();
  }

  @Test
  void everyoneInALongLineIsHandedTheLockInTurn() {
    LockHandle holder = holderFromTheLine();
    List<CompletableFuture<LockHandle>> line = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      line.add(waiting());
    }
    for (CompletableFuture<LockHandle> next : line) {
      holder.close();
      assertThat(next).isCompleted();
      assertThat(backend.takeAsked()).containsExactly(RELEASE, ATTEMPT);
      holder = next.join();
    }
  }

  @Test
  void afterTenMillisecondsOtherProcessesGoFirst() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    time.advance(Duration.ofMillis(9));
    holder.close();
    LockHandle second = next.join();
    CompletableFuture<LockHandle> third = waiting();
    time.advance(Duration.ofMillis(1));
    backend.takeAsked();

    second.close();

    assertThat(backend.takeAsked()).containsExactly(RELEASE);
    LockHandle other = take(otherLocks, KEY, LONG);
    time.advance(Duration.ofMillis(1));
    assertThat(backend.takeAsked()).containsExactly(WATCHED_ATTEMPT);
    other.close();
    backend.hint();
    assertThat(third).isCompleted();
  }

  @Test
  void aWaiterThatYieldedTakesTheLockIfNobodyElseDoes() {
    LockHandle holder = holderFromTheLine();
    time.advance(Duration.ofMillis(10));
    CompletableFuture<LockHandle> next = waiting();
    holder.close();
    time.advance(Duration.ofMillis(1));
    assertThat(next).isCompleted();
  }

  @Test
  void aWaiterThatAnotherProcessBeatsAsksAgainSoThatItIsTold() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    List<LockHandle> other = new ArrayList<>();
    backend.afterEachRelease(() -> other.add(take(otherLocks, KEY, LONG)));

    holder.close();

    assertThat(backend.takeAsked()).containsExactly(RELEASE, ATTEMPT, WATCHED_ATTEMPT);
    assertThat(next).isNotDone();
    backend.afterEachRelease(() -> {});
    other.forEach(LockHandle::close);
    backend.hint();
    assertThat(next).isCompleted();
  }

  @Test
  void aWaiterBehindOneThatGivesUpIsNotForgotten() {
    LockHandle holder = holderFromTheLine();
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<LockHandle> givesUp =
        locks.cancelledBy(signal).async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    CompletableFuture<LockHandle> next = waiting();
    signal.cancel();
    assertThat(givesUp).isCompletedExceptionally();
    holder.close();
    assertThat(next).isCompleted();
  }

  @Test
  void anInterruptWhileTheLockIsHandedOverFreesIt() throws Exception {
    LockHandle holder = holderFromTheLine();
    FutureTask<LockHandle> waiting = new FutureTask<>(() -> locks.lock(KEY, TOLD_ONLY));
    Thread thread = new Thread(waiting);
    backend.holdAnswers();
    time.duringEachNap(holder::releaseAsync);
    thread.start();
    untilWaiting(thread);
    thread.interrupt();
    thread.join();
    backend.letAnswersGo();

    assertThatThrownBy(waiting::get).hasCauseInstanceOf(SyncGuardException.class);
    take(otherLocks, KEY, LONG).close();
  }
}
