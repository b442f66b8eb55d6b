package io.syncguard.internal.waiting;

import io.syncguard.CancelSignal;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Waits in the caller's thread.
 *
 * @param <A> what the store answers
 * @param <H> what is waited for
 */
public final class BlockingWait<A, H> {

  private final Wait<A, ?, H> wait;
  private final Semaphore wakeUps = new Semaphore(0);

  private BlockingWait(Wait<A, ?, H> wait) {
    this.wait = wait;
  }

  /** Blocks until what is waited for is there; throws why it is not. */
  public static <A, H> H await(Wait<A, ?, H> wait) {
    return new BlockingWait<>(wait).await();
  }

  private H await() {
    wait.begun();
    try {
      wait.wakeBy(wakeUps::release);
      H got = firstAttempt();
      if (got == null) {
        got = awaitMore();
      }
      wait.endWith(null);
      return got;
    } catch (RuntimeException | Error e) {
      wait.endWithout(e);
      throw e;
    }
  }

  /** What is free takes one attempt, for which there is nothing to be woken by. */
  private @Nullable H firstAttempt() {
    wait.throwIfCalledOff(true);
    return wait.napNanos() > 0 ? null : attempt();
  }

  private H awaitMore() {
    try (CancelSignal.Registration cancelled = wait.signal().onCancel(wakeUps::release);
        CancelSignal.Registration closed = wait.guard().entrance().onClose(wakeUps::release)) {
      while (true) {
        wakeUps.drainPermits();
        wait.throwIfCalledOff(true);
        H got = wait.takeGrant();
        if (got != null) {
          return got;
        }
        long nap = wait.napNanos();
        if (nap > 0) {
          sleep(nap);
        } else if ((got = attempt()) != null) {
          return got;
        }
      }
    }
  }

  /** An interrupt is seen to after the nap. */
  private void sleep(long nanos) {
    try {
      wait.time().await(wakeUps, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable H attempt() {
    A answer;
    try {
      answer = wait.guard().operations().await(wait.attempt(), wait.call());
    } catch (RuntimeException e) {
      wait.failed(e);
      return null;
    }
    return wait.answered(answer);
  }
}
