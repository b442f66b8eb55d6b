package io.syncguard.telemetry;

import io.syncguard.spi.LockBackend;
import io.syncguard.spi.SemaphoreBackend;
import java.util.function.Predicate;

/**
 * Reports every operation on a store, whichever way it came: from the user, from a handle, from a
 * helper's retries, from auto-extension, from heartbeats. Without telemetry nothing of it costs
 * anything.
 *
 * <p>Events wait in a queue of 8192; a listener that cannot keep up loses events, which is logged,
 * and never delays an operation. Locks and semaphores have a queue each.
 */
public final class Telemetry {

  private final LockListener locks;
  private final Predicate<LockEvent> includeRawLocks;
  private final SemaphoreListener semaphores;
  private final Predicate<SemaphoreEvent> includeRawSemaphores;

  private Telemetry(
      LockListener locks,
      Predicate<LockEvent> includeRawLocks,
      SemaphoreListener semaphores,
      Predicate<SemaphoreEvent> includeRawSemaphores) {
    this.locks = locks;
    this.includeRawLocks = includeRawLocks;
    this.semaphores = semaphores;
    this.includeRawSemaphores = includeRawSemaphores;
  }

  /** Returns telemetry that reports operations on locks, with hashes only. */
  public static Telemetry to(LockListener listener) {
    return new Telemetry(listener, event -> false, event -> {}, event -> false);
  }

  /** Returns telemetry that also reports operations on semaphores. */
  public Telemetry withSemaphores(SemaphoreListener listener) {
    return new Telemetry(locks, includeRawLocks, listener, includeRawSemaphores);
  }

  /** Returns telemetry that also reports raw keys, names and ids. They may be secret. */
  public Telemetry includingRaw() {
    return new Telemetry(locks, event -> true, semaphores, event -> true);
  }

  /** Returns telemetry that also reports raw keys and lockIds for the lock events that pass. */
  public Telemetry includingRaw(Predicate<LockEvent> includeRaw) {
    return new Telemetry(locks, includeRaw, semaphores, includeRawSemaphores);
  }

  /** Returns a backend that does what the given one does and reports it. */
  public LockBackend observe(LockBackend backend) {
    return new ObservedLockBackend(
        backend, new LockEvents(new EventQueue<>(locks::onEvent, includeRawLocks)));
  }

  /** Returns a backend that does what the given one does and reports it. */
  public SemaphoreBackend observe(SemaphoreBackend backend) {
    return new ObservedSemaphoreBackend(
        backend, new SemaphoreEvents(new EventQueue<>(semaphores::onEvent, includeRawSemaphores)));
  }
}
