package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;

import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.ForwardingLocks;
import io.syncguard.testkit.fault.Interception;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * Carries out what is asked in order, notes it, and answers when the test wants it to. It hints
 * only when the test does.
 */
final class PipelinedStore extends DecoratedStore {

  static final String RELEASE = "release";
  static final String HAND_OVER = "hand over";
  static final String ATTEMPT = "attempt";
  static final String WATCHED_ATTEMPT = "watched attempt";

  private final OperationExecutor carriedOut;
  private final LockBackend locks;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Runnable> hints = new CopyOnWriteArrayList<>();
  private boolean holdingAnswers;
  private volatile boolean handingOver;
  private Runnable afterRelease = () -> {};

  PipelinedStore(Store store) {
    super(store, UnaryOperator.identity());
    this.locks = new HintedByTheTest(store.locks());
    this.carriedOut =
        Interception.on(LockOperation.Acquire.class, this::acquire)
            .andOn(LockOperation.Release.class, this::release)
            .andOn(LockOperation.HandOver.class, this::handOver)
            .apply(store);
  }

  /** Returns what was asked of the store since the last time. */
  List<String> takeAsked() {
    List<String> taken = List.copyOf(asked);
    asked.clear();
    return taken;
  }

  /** From now on a lock is passed on in one step. */
  void handOverInOneStep() {
    handingOver = true;
  }

  void afterEachRelease(Runnable action) {
    afterRelease = action;
  }

  synchronized void holdAnswers() {
    holdingAnswers = true;
  }

  void letAnswersGo() {
    List<Runnable> held;
    synchronized (this) {
      holdingAnswers = false;
      held = List.copyOf(answers);
      answers.clear();
    }
    held.forEach(Runnable::run);
  }

  void hint() {
    hints.forEach(Runnable::run);
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
    CompletionStage<A> answered = carriedOut.execute(operation, call);
    return operation instanceof LockOperation.HandOver && !handingOver ? answered : held(answered);
  }

  private CompletionStage<AcquireAttempt> acquire(
      LockOperation.Acquire acquire, Call call, OperationExecutor next) {
    asked.add(acquire.watched() ? WATCHED_ATTEMPT : ATTEMPT);
    return next.execute(acquire, call);
  }

  private CompletionStage<ReleaseResult> release(
      LockOperation.Release release, Call call, OperationExecutor next) {
    asked.add(RELEASE);
    CompletionStage<ReleaseResult> result = next.execute(release, call);
    afterRelease.run();
    return result;
  }

  private CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockOperation.HandOver handOver, Call call, OperationExecutor next) {
    if (!handingOver) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    asked.add(HAND_OVER);
    ask(next, new LockOperation.Release(handOver.lock()));
    AcquireAttempt taken = ask(next, handOver.next());
    return CompletableFuture.completedFuture(Optional.of((AcquireAttempt.Granted) taken));
  }

  /** Has an answer wait until the test lets it go. */
  private <T> CompletionStage<T> held(CompletionStage<T> answered) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable answer =
        () ->
            answered.whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
    synchronized (this) {
      if (holdingAnswers) {
        answers.add(answer);
        return result;
      }
    }
    answer.run();
    return result;
  }

  private final class HintedByTheTest extends ForwardingLocks {

    HintedByTheTest(LockBackend locks) {
      super(locks);
    }

    @Override
    public boolean isPipelined() {
      return true;
    }

    @Override
    public Optional<Watch> watch(ResourceKey key, Runnable hint) {
      hints.add(hint);
      return Optional.of(() -> hints.remove(hint));
    }
  }
}
