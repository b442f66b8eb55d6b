package io.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.WriteBatch;
import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads, decides and writes, all or nothing: the writes are carried out only if what was read has
 * not changed meanwhile, otherwise it begins again. No other client is held up between reading and
 * writing.
 *
 * <p>A commit that may have come through or not is settled by reading again: the lockId in the
 * document tells. Each method runs after the one before it has ended; only giving up can come at
 * any time.
 */
final class OptimisticTransaction<T> {

  private static final int MOST_CONFLICTS = 50;
  private static final int MOST_OUTAGES = 3;
  private static final long LONGEST_PAUSE_MS = 100;

  /** One try: what to read, and what to decide then. */
  @FunctionalInterface
  interface Attempt<T> {

    /**
     * Reads and decides.
     *
     * @param inDoubt the answer that an earlier attempt may have made true already; null if none
     */
    ApiFuture<Decision<T>> decide(@Nullable T inDoubt);
  }

  private final Subject subject;
  private final Call call;
  private final Attempt<T> attempt;
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private volatile @Nullable ApiFuture<?> pending;
  private boolean sent;
  private boolean stopped;
  private @Nullable T inDoubt;
  private int conflicts;
  private int outages;

  private OptimisticTransaction(Subject subject, Call call, Attempt<T> attempt) {
    this.subject = subject;
    this.call = call;
    this.attempt = attempt;
  }

  /**
   * Returns at once; the stage fails with what the user sees.
   *
   * @param subject what a failure is about
   * @param call how long this may take, and what calls it off
   */
  static <T> CompletionStage<T> run(Subject subject, Call call, Attempt<T> attempt) {
    return new OptimisticTransaction<>(subject, call, attempt).start();
  }

  private CompletionStage<T> start() {
    CancelSignal.Registration cancelling =
        call.signal().onCancel(() -> giveUp(Code.ABORTED, "The operation was cancelled"));
    TimeSource.Timer timer =
        TimeSource.system()
            .schedule(
                () -> giveUp(Code.NETWORK_TIMEOUT, "Firestore did not answer in time"),
                call.timeLeft());
    CompletionStage<T> done = result;
    done.whenComplete(
        (answer, failure) -> {
          cancelling.close();
          timer.cancel();
          cancelPending();
        });
    read();
    return result;
  }

  private void read() {
    pursue(() -> attempt.decide(inDoubt), this::decided, this::readFailed);
  }

  private void decided(Decision<T> decision) {
    WriteBatch writes = decision.writes();
    if (writes == null) {
      result.complete(decision.answer());
    } else if (beginToSend()) {
      pursue(
          writes::commit,
          written -> result.complete(decision.answer()),
          failure -> commitFailed(decision, failure));
    }
  }

  private void readFailed(Throwable failure) {
    if (FirestoreFailures.isOutage(failure) && outages < MOST_OUTAGES) {
      readAgainAfterPause(++outages);
    } else {
      fail(failure, stop());
    }
  }

  private void commitFailed(Decision<T> decision, Throwable failure) {
    if (FirestoreFailures.isConflict(failure)) {
      conflicted();
    } else if (!FirestoreFailures.isOutage(failure)) {
      fail(failure, inDoubt != null);
    } else if (outages < MOST_OUTAGES) {
      inDoubt = decision.answer();
      readAgainAfterPause(++outages);
    } else {
      fail(failure, true);
    }
  }

  private void conflicted() {
    if (conflicts < MOST_CONFLICTS) {
      readAgainAfterPause(++conflicts);
    } else {
      giveUp(Code.SERVICE_UNAVAILABLE, "Others changed the same documents again and again");
    }
  }

  private void readAgainAfterPause(int times) {
    long longest = Math.min(LONGEST_PAUSE_MS, 4L << Math.min(times, Integer.SIZE));
    long pause = ThreadLocalRandom.current().nextLong(longest);
    TimeSource.system().schedule(this::read, Duration.ofMillis(pause));
  }

  private <A> void pursue(
      Supplier<ApiFuture<A>> request, Consumer<A> next, Consumer<Throwable> failed) {
    if (result.isDone()) {
      return;
    }
    ApiFuture<A> answer;
    try {
      answer = request.get();
    } catch (RuntimeException e) {
      failed.accept(e);
      return;
    }
    pending = answer;
    if (result.isDone()) {
      cancelPending();
    }
    ApiFutures.addCallback(
        answer,
        new ApiFutureCallback<A>() {
          @Override
          public void onSuccess(A value) {
            next.accept(value);
          }

          @Override
          public void onFailure(Throwable failure) {
            failed.accept(failure);
          }
        },
        Runnable::run);
  }

  /** Stops the client's own retries too: a commit must not come through long after this gave up. */
  private void cancelPending() {
    ApiFuture<?> open = pending;
    if (open != null) {
      open.cancel(true);
    }
  }

  private void giveUp(Code code, String message) {
    result.completeExceptionally(FirestoreFailures.failure(code, message, subject, null, stop()));
  }

  private void fail(Throwable failure, boolean outcomeUnknown) {
    result.completeExceptionally(FirestoreFailures.of(failure, subject, outcomeUnknown));
  }

  /** Returns whether a commit may be sent; a caller that gives up after that knows of it. */
  private synchronized boolean beginToSend() {
    sent |= !stopped;
    return !stopped;
  }

  /** Lets no further commit be sent; returns whether one has been. */
  private synchronized boolean stop() {
    stopped = true;
    return sent;
  }
}
