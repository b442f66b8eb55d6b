package io.syncguard.testkit;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.testkit.fault.DelegatingLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Carries out what is asked in order, notes it, and answers when the test wants it to. It hints
 * only when the test does.
 */
final class PipelinedBackend extends DelegatingLockBackend {

  static final String RELEASE = "release";
  static final String HAND_OVER = "hand over";
  static final String ATTEMPT = "attempt";
  static final String WATCHED_ATTEMPT = "watched attempt";

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Runnable> hints = new CopyOnWriteArrayList<>();
  private final AsyncLockBackend async = new Sent(AsyncLockBackend.of(this, Runnable::run));
  private boolean holdingAnswers;
  private volatile boolean handingOver;
  private Runnable afterRelease = () -> {};

  PipelinedBackend(LockBackend backend) {
    super(backend);
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
  public AsyncLockBackend async() {
    return async;
  }

  @Override
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    hints.add(hint);
    return Optional.of(() -> hints.remove(hint));
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    asked.add(request.watched() ? WATCHED_ATTEMPT : ATTEMPT);
    return super.acquire(request, signal);
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    asked.add(RELEASE);
    ReleaseResult result = super.release(lock, timeout);
    afterRelease.run();
    return result;
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

  private final class Sent implements AsyncLockBackend {

    private final AsyncLockBackend carriedOut;

    Sent(AsyncLockBackend carriedOut) {
      this.carriedOut = carriedOut;
    }

    @Override
    public boolean isPipelined() {
      return true;
    }

    @Override
    public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
      return held(carriedOut.acquire(request, signal));
    }

    @Override
    public CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout) {
      return held(carriedOut.release(lock, timeout));
    }

    @Override
    public CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
        LockReference lock, AcquireRequest next, Duration timeout) {
      if (!handingOver) {
        return CompletableFuture.completedFuture(Optional.empty());
      }
      asked.add(HAND_OVER);
      PipelinedBackend.super.release(lock, timeout);
      AcquireAttempt taken = PipelinedBackend.super.acquire(next, CancelSignal.never());
      return held(CompletableFuture.completedFuture(Optional.of((AcquireAttempt.Granted) taken)));
    }

    @Override
    public CompletionStage<ExtendResult> extend(
        LockReference lock, Duration ttl, CancelSignal signal) {
      return held(carriedOut.extend(lock, ttl, signal));
    }

    @Override
    public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
      return held(carriedOut.isLocked(key, signal));
    }

    @Override
    public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
      return held(carriedOut.lookup(key, signal));
    }

    @Override
    public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
      return held(carriedOut.lookup(lockId, signal));
    }
  }
}
