package io.syncguard.telemetry;

import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.SemaphoreBackend;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reports every operation on a store, whichever way it came: from the user, from a handle, from a
 * helper's retries, from auto-extension, from heartbeats. Operations on locks are reported also if
 * they end before the store is asked. Without telemetry nothing of it costs anything.
 *
 * <p>Events wait in a queue of 8192; a listener that cannot keep up loses events, which is logged,
 * and never delays an operation. Each primitive has a queue of its own.
 */
public final class Telemetry {

  /** Who is told of one kind of events, and which of them may show what is raw. */
  private record Channel<E>(Consumer<E> listener, Predicate<E> includeRaw) {

    static <E> Channel<E> to(Consumer<E> listener) {
      return new Channel<>(listener, event -> false);
    }

    Channel<E> includingRaw(Predicate<E> includeRaw) {
      return new Channel<>(listener, includeRaw);
    }

    EventQueue<E> open() {
      return new EventQueue<>(listener, includeRaw);
    }
  }

  private final Channel<LockEvent> locks;
  private final Channel<SemaphoreEvent> semaphores;
  private final Channel<SecretEvent> secrets;
  private final Channel<LimitEvent> limits;

  private Telemetry(
      Channel<LockEvent> locks,
      Channel<SemaphoreEvent> semaphores,
      Channel<SecretEvent> secrets,
      Channel<LimitEvent> limits) {
    this.locks = locks;
    this.semaphores = semaphores;
    this.secrets = secrets;
    this.limits = limits;
  }

  /** Returns telemetry that reports operations on locks, with hashes only. */
  public static Telemetry to(LockListener listener) {
    return new Telemetry(
        Channel.to(listener::onEvent),
        Channel.to(event -> {}),
        Channel.to(event -> {}),
        Channel.to(event -> {}));
  }

  /** Returns telemetry that also reports operations on semaphores. */
  public Telemetry withSemaphores(SemaphoreListener listener) {
    return new Telemetry(
        locks, new Channel<>(listener::onEvent, semaphores.includeRaw()), secrets, limits);
  }

  /** Returns telemetry that also reports operations on secrets. */
  public Telemetry withSecrets(SecretListener listener) {
    return new Telemetry(
        locks, semaphores, new Channel<>(listener::onEvent, secrets.includeRaw()), limits);
  }

  /** Returns telemetry that also reports operations on counters and rate limiters. */
  public Telemetry withLimits(LimitListener listener) {
    return new Telemetry(
        locks, semaphores, secrets, new Channel<>(listener::onEvent, limits.includeRaw()));
  }

  /**
   * Returns telemetry that also reports raw keys, names and ids. They may be secret: with the raw
   * id of a secret anybody can view it.
   */
  public Telemetry includingRaw() {
    return new Telemetry(
        locks.includingRaw(event -> true),
        semaphores.includingRaw(event -> true),
        secrets.includingRaw(event -> true),
        limits.includingRaw(event -> true));
  }

  /** Returns telemetry that also reports raw keys and lockIds for the lock events that pass. */
  public Telemetry includingRaw(Predicate<LockEvent> includeRaw) {
    return new Telemetry(locks.includingRaw(includeRaw), semaphores, secrets, limits);
  }

  /** Returns a backend that does what the given one does and reports it. */
  public LockBackend observe(LockBackend backend) {
    return new ObservedLockBackend(backend, new LockEvents(locks.open()));
  }

  /** Returns a backend that does what the given one does and reports it. */
  public SemaphoreBackend observe(SemaphoreBackend backend) {
    return new ObservedSemaphoreBackend(backend, new SemaphoreEvents(semaphores.open()));
  }

  /** Returns a backend that does what the given one does and reports it. */
  public SecretBackend observe(SecretBackend backend) {
    return new ObservedSecretBackend(backend, new SecretEvents(secrets.open()));
  }

  /** Returns a backend that does what the given one does and reports it. */
  public LimitBackend observe(LimitBackend backend) {
    return new ObservedLimitBackend(backend, new LimitEvents(limits.open()));
  }
}
