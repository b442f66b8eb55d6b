package io.syncguard.testkit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.Eventually.untilWaiting;
import static io.syncguard.testkit.PipelinedStore.ATTEMPT;
import static io.syncguard.testkit.PipelinedStore.HAND_OVER;
import static io.syncguard.testkit.PipelinedStore.RELEASE;
import static io.syncguard.testkit.PipelinedStore.WATCHED_ATTEMPT;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
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
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.internal.RecordedEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
  private final Store memory = StoreProvider.openStore("memory:", time);
  private final PipelinedStore store = new PipelinedStore(DecoratedStore.keptOpen(memory));

  /** Nothing here blocks, and what a stage completes with is to be seen at once. */
  private final GuardOptions options =
      GuardOptions.defaults().withTimeSource(time).withExecutor(Runnable::run).withKeepOnClose();

  private final SyncGuard guard = SyncGuard.over(store, options);
  private final SyncGuard otherGuard =
      SyncGuard.over(memory, GuardOptions.defaults().withKeepOnClose());
  private final Locks locks = guard.locks();
  private final Locks otherLocks = otherGuard.locks();

  @AfterEach
  void close() {
    store.letAnswersGo();
    guard.close();
    otherGuard.close();
  }

  private CompletableFuture<LockHandle> waiting() {
    return locks.async().lock(KEY, TOLD_ONLY).toCompletableFuture();
  }

  /** A holder that had to wait for the lock, and is known to have it by those behind it. */
  private LockHandle holderFromTheLine() {
    LockHandle first = take(otherLocks, KEY, LONG);
    CompletableFuture<LockHandle> waiting = waiting();
    first.close();
    store.hint();
    LockHandle holder = waiting.join();
    store.takeAsked();
    return holder;
  }

  @Test
  void theNextWaitersAttemptIsSentBeforeTheReleaseIsAnswered() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    store.holdAnswers();

    CompletableFuture<?> release = holder.releaseAsync().toCompletableFuture();

    assertThat(store.takeAsked()).containsExactly(RELEASE, ATTEMPT);
    assertThat(release).isNotDone();
    store.letAnswersGo();
    assertThat(release).isCompleted();
    assertThat(next.join().fence().isNewerThan(holder.fence())).isTrue();
    assertThat(store.takeAsked()).isEmpty();
  }

  @Test
  void aStoreThatCanPassesTheLockOnInOneStep() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    store.handOverInOneStep();
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(store.takeAsked()).containsExactly(HAND_OVER);
    assertThat(next.join().fence().isNewerThan(holder.fence())).isTrue();
  }

  @Test
  void aWaitThatIsCancelledWhileTheLockIsPassedOnEndsAtOnceAndFreesIt() {
    LockHandle holder = holderFromTheLine();
    CancelSignal signal = CancelSignal.create();
    CompletableFuture<LockHandle> next =
        locks.cancelledBy(signal).async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    store.handOverInOneStep();
    store.holdAnswers();
    CompletableFuture<ReleaseResult> release = holder.releaseAsync().toCompletableFuture();
    signal.cancel();
    assertThat(next).isCompletedExceptionally();
    store.letAnswersGo();
    assertThat(release).isCompletedWithValue(ReleaseResult.RELEASED);
    take(otherLocks, KEY, LONG).close();
  }

  @Test
  void aLockThatWasPassedOnIsReportedAsReleasedAndAcquired() throws Exception {
    RecordedEvents events = new RecordedEvents();
    SyncGuard observing = SyncGuard.over(store, options.withTelemetry(Telemetry.to(events)));
    Locks observed = observing.locks();
    LockHandle first = take(otherLocks, KEY, LONG);
    CompletableFuture<LockHandle> holder =
        observed.async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    first.close();
    store.hint();
    CompletableFuture<LockHandle> next =
        observed.async().lock(KEY, TOLD_ONLY).toCompletableFuture();
    store.handOverInOneStep();
    holder.join().close();
    String from = holder.join().lockId().hash();
    String to = next.join().lockId().hash();
    eventually(
        () ->
            assertThat(events.operations())
                .extracting(OperationEvent::operation, event -> event.subject().idHash())
                .contains(tuple(LockOperation.RELEASE, from), tuple(LockOperation.ACQUIRE, to)));
    observing.close();
  }

  @Test
  void aReleaseThatBlocksHandsOverToo() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    assertThat(holder.release().isReleased()).isTrue();
    assertThat(store.takeAsked()).containsExactly(RELEASE, ATTEMPT);
    assertThat(next.join().isHeld()).isTrue();
  }

  @Test
  void whoArrivesWhileItsOwnProcessHoldsTheLockAsksNothing() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    assertThat(store.takeAsked()).isEmpty();
    holder.close();
    assertThat(next).isCompleted();
  }

  @Test
  void whoArrivesAsksInTheEndBecauseAnotherProcessMayHaveReleasedTheLock() {
    LockHandle holder = holderFromTheLine();
    CompletableFuture<LockHandle> next = waiting();
    otherLocks.release(holder.lockId());
    time.advance(Duration.ofMillis(10));
    assertThat(store.takeAsked()).containsExactly(WATCHED_ATTEMPT);
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
      assertThat(store.takeAsked()).containsExactly(RELEASE, ATTEMPT);
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
    store.takeAsked();

    second.close();

    assertThat(store.takeAsked()).containsExactly(RELEASE);
    LockHandle other = take(otherLocks, KEY, LONG);
    time.advance(Duration.ofMillis(1));
    assertThat(store.takeAsked()).containsExactly(WATCHED_ATTEMPT);
    other.close();
    store.hint();
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
    store.afterEachRelease(() -> other.add(take(otherLocks, KEY, LONG)));

    holder.close();

    assertThat(store.takeAsked()).containsExactly(RELEASE, ATTEMPT, WATCHED_ATTEMPT);
    assertThat(next).isNotDone();
    store.afterEachRelease(() -> {});
    other.forEach(LockHandle::close);
    store.hint();
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
    store.holdAnswers();
    time.duringEachNap(holder::releaseAsync);
    thread.start();
    untilWaiting(thread);
    thread.interrupt();
    thread.join();
    store.letAnswersGo();

    assertThatThrownBy(waiting::get).hasCauseInstanceOf(SyncGuardException.class);
    take(otherLocks, KEY, LONG).close();
  }
}
