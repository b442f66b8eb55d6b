package io.syncguard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one thread call off what another one is waiting for. Thread-safe.
 *
 * <p>A cancelled operation fails with {@link SyncGuardException.Code#ABORTED}. One signal may serve
 * any number of operations; once cancelled it stays cancelled.
 */
public final class CancelSignal {

  private static final Logger log = LoggerFactory.getLogger(CancelSignal.class);
  private static final CancelSignal NEVER = new CancelSignal(false);

  private final boolean cancellable;
  private final Set<Registration> registrations = new LinkedHashSet<>();
  private volatile boolean cancelled;

  private CancelSignal(boolean cancellable) {
    this.cancellable = cancellable;
  }

  /** Returns a new signal that is not cancelled yet. */
  public static CancelSignal create() {
    return new CancelSignal(true);
  }

  /** Returns the signal that is never cancelled. */
  public static CancelSignal never() {
    return NEVER;
  }

  /**
   * Cancels whatever uses this signal and returns at once; later calls do nothing.
   *
   * @throws UnsupportedOperationException if this is {@link #never()}
   */
  public void cancel() {
    if (!cancellable) {
      throw new UnsupportedOperationException("CancelSignal.never() cannot be cancelled");
    }
    List<Registration> toRun;
    synchronized (registrations) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      toRun = List.copyOf(registrations);
      registrations.clear();
    }
    toRun.forEach(Registration::run);
  }

  /** Returns whether this was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * Returns at once unless this was cancelled.
   *
   * @throws SyncGuardException with code ABORTED if it was
   */
  public void throwIfCancelled() {
    if (cancelled) {
      throw new SyncGuardException(
          SyncGuardException.Code.ABORTED, "The operation was cancelled by its CancelSignal");
    }
  }

  /**
   * Registers an action and returns at once. It runs once, in the thread that cancels, or in this
   * one before this method returns if the signal was cancelled already.
   */
  public Registration onCancel(Runnable action) {
    Registration registration = new Registration(action);
    if (!cancellable) {
      return registration;
    }
    synchronized (registrations) {
      if (!cancelled) {
        registrations.add(registration);
        return registration;
      }
    }
    registration.run();
    return registration;
  }

  /** An action that waits for a signal; closing it forgets the action. */
  public final class Registration implements AutoCloseable {

    private final Runnable action;

    private Registration(Runnable action) {
      this.action = action;
    }

    private void run() {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        log.warn("An action registered with a CancelSignal failed", e);
      }
    }

    @Override
    public void close() {
      if (cancellable) {
        synchronized (registrations) {
          registrations.remove(this);
        }
      }
    }
  }
}
