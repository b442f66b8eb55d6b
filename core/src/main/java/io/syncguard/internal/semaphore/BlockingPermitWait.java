package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Gate;
import io.syncguard.spi.semaphore.PermitAttempt;
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
    this.acquisition = new PermitAcquisition(engine, terms, maxWait, signal, wakeUps::release);
  }

  HeldPermit await() {
    engine.holdings().begin();
    try (CancelSignal.Registration registration = signal.onCancel(wakeUps::release)) {
      while (true) {
        wakeUps.drainPermits();
        acquisition.pass(() -> engine.entrance().throwIfAborted(signal));
        long nap = acquisition.napNanos();
        if (nap > 0) {
          engine.time().await(wakeUps, nap);
          continue;
        }
        HeldPermit permit = attempt();
        if (permit != null) {
          engine.holdings().end();
          acquisition.reportEnd(null);
          return permit;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      SyncGuardException interrupted = Gate.interrupted();
      giveUp(interrupted);
      throw interrupted;
    } catch (RuntimeException | Error e) {
      giveUp(e);
      throw e;
    }
  }

  private void giveUp(Throwable failure) {
    acquisition.giveUp(engine.holdings()::end);
    acquisition.reportEnd(failure);
  }

  private @Nullable HeldPermit attempt() {
    PermitAttempt answer;
    try {
      answer = engine.operations().await(acquisition.attempt(), acquisition.call());
    } catch (RuntimeException e) {
      acquisition.failed(e);
      return null;
    }
    return acquisition.answered(answer);
  }
}
