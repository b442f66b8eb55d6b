package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Gate;
import io.syncguard.spi.PermitAttempt;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Waits for a permit in the caller's thread. */
final class BlockingPermitWait {

  private final SemaphoreEngine engine;
  private final CancelSignal signal;
  private final Semaphore wakeUps = new Semaphore(0);
  private final PermitAcquisition acquisition;

  BlockingPermitWait(SemaphoreEngine engine, Terms terms, Duration maxWait, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
    this.acquisition = new PermitAcquisition(engine, terms, maxWait, wakeUps::release);
  }

  Permit await() {
    engine.holdings().begin();
    try (CancelSignal.Registration registration = signal.onCancel(wakeUps::release)) {
      while (true) {
        wakeUps.drainPermits();
        engine.entrance().throwIfAborted(signal);
        long nap = acquisition.napNanos();
        if (nap > 0) {
          engine.time().await(wakeUps, nap);
          continue;
        }
        Permit permit = attempt();
        if (permit != null) {
          engine.holdings().end();
          return permit;
        }
      }
    } catch (InterruptedException e) {
      acquisition.giveUp(engine.holdings()::end);
      Thread.currentThread().interrupt();
      throw Gate.interrupted();
    } catch (RuntimeException | Error e) {
      acquisition.giveUp(engine.holdings()::end);
      throw e;
    }
  }

  private @Nullable Permit attempt() {
    PermitAttempt answer;
    try {
      answer = engine.backend().acquire(acquisition.attempt(), signal);
    } catch (RuntimeException e) {
      acquisition.failed(e);
      return null;
    }
    return acquisition.answered(answer);
  }
}
