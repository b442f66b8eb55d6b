package io.syncguard.cli;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.telemetry.LockEvent;
import io.syncguard.telemetry.SemaphoreEvent;
import io.syncguard.telemetry.Telemetry;
import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Says, once, that a command goes on waiting although the store fails: it may wait for ever, and
 * from cron nothing else would tell.
 */
final class WaitNotice {

  private static final Set<Code> PASSING =
      Set.of(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT, Code.RATE_LIMITED);

  /** What fails once and is not asked again is told by the command's own end. */
  private static final int FAILURES_THAT_SHOW_A_WAIT = 2;

  private final PrintStream err;
  private final AtomicInteger failures = new AtomicInteger();

  WaitNotice(PrintStream err) {
    this.err = err;
  }

  Telemetry telemetry() {
    return Telemetry.to(event -> look(event.type() == LockEvent.Type.ACQUIRE, event.errorCode()))
        .withSemaphores(
            event -> look(event.type() == SemaphoreEvent.Type.ACQUIRE, event.errorCode()));
  }

  private void look(boolean acquiring, @Nullable Code failure) {
    if (acquiring
        && failure != null
        && PASSING.contains(failure)
        && failures.incrementAndGet() == FAILURES_THAT_SHOW_A_WAIT) {
      err.println(
          "syncguard: the store cannot serve now ("
              + failure
              + ") and is asked again; 'syncguard doctor' may tell why");
    }
  }
}
