package io.syncguard.cli.output;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.telemetry.Event;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Telemetry;
import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says, once, that a command goes on waiting although the store fails: it may wait for ever, and a
 * user of cron would not know.
 */
public final class WaitNotice {

  private static final Set<Code> PASSING =
      Set.of(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT, Code.RATE_LIMITED);

  /** The operation of that name, of a lock or of a semaphore. */
  private static final String ACQUIRE = "acquire";

  /** What fails once and is not asked again is told when the command ends. */
  private static final int FAILURES_THAT_SHOW_A_WAIT = 2;

  private final PrintStream err;
  private final AtomicInteger failures = new AtomicInteger();

  public WaitNotice(PrintStream err) {
    this.err = err;
  }

  public Telemetry telemetry() {
    return Telemetry.to(this::look);
  }

  private void look(Event event) {
    if (event instanceof OperationEvent asked
        && asked.operation().equals(ACQUIRE)
        && asked.errorCode() != null
        && PASSING.contains(asked.errorCode())
        && failures.incrementAndGet() == FAILURES_THAT_SHOW_A_WAIT) {
      err.println(
          "syncguard: the store cannot serve now ("
              + asked.errorCode()
              + ") and is asked again; 'syncguard doctor' may tell why");
    }
  }
}
