package io.syncguard.counter;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Continuations;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Lifetime;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Counters that count up to a limit in a fixed window, across all processes. Thread-safe.
 *
 * <p>The window begins with the first hit and ends a fixed time later, whatever comes in between;
 * the next hit begins another. So twice the limit can come around the end of a window: use a {@link
 * io.syncguard.limit.RateLimiter} where that matters.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for bad arguments, before anything
 * is written; ABORTED when the thread is interrupted (the interrupt flag stays set), others as the
 * store fails. Nothing is repeated: after a failure that {@linkplain
 * SyncGuardException#isOutcomeUnknown may have} been carried out, one may have been counted.
 */
public final class Counters {

  /** The most that a counter can be told to count to: exact in every store. */
  public static final long MOST = (1L << 53) - 1;

  private final LimitBackend backend;
  private final Gate gate;
  private final CancelSignal signal;
  private final AsyncCounters async;

  /** Makes the counters of one store. Usually {@code SyncGuard.counters()} gives them. */
  public Counters(LimitBackend backend, GuardOptions options) {
    this(backend, new Gate(new Continuations(options)), CancelSignal.never());
  }

  private Counters(LimitBackend backend, Gate gate, CancelSignal signal) {
    this.backend = backend;
    this.gate = gate;
    this.signal = signal;
    this.async = new AsyncCounters(backend.async(), gate, signal);
  }

  /** Returns the same counters, whose operations fail with ABORTED once the signal is cancelled. */
  public Counters cancelledBy(CancelSignal signal) {
    return new Counters(backend, gate, signal);
  }

  /** Returns the same counters for callers that must not block. */
  public AsyncCounters async() {
    return async;
  }

  /**
   * Blocks while the store counts one, unless there were as many as are allowed.
   *
   * @param max how many are allowed in a window; from 1 to {@link #MOST}
   * @param window how long a window lasts; one that is under way keeps the end that it has
   * @throws SyncGuardException with code INVALID_ARGUMENT for a max or a window that cannot be, or
   *     a key that is empty, longer than 512 bytes or not valid Unicode
   */
  public CounterResult increment(String key, long max, Duration window) {
    CountRequest request = request(key, max, window);
    gate.throwIfAborted(signal);
    return backend.increment(request, signal);
  }

  static CountRequest request(String key, long max, Duration window) {
    if (max < 1 || max > MOST) {
      throw SyncGuardException.invalidArgument(
          "A counter counts to something from 1 to " + MOST + ", not to " + max);
    }
    return new CountRequest(ResourceKey.of(key), max, Lifetime.check("A counter's window", window));
  }

  /** Blocks while the store looks how far a counter has come; empty if no window is under way. */
  public Optional<CounterState> current(String key) {
    ResourceKey resource = ResourceKey.of(key);
    gate.throwIfAborted(signal);
    return backend.current(resource, signal);
  }

  /** Blocks while the store ends a window; returns whether one was under way. */
  public boolean reset(String key) {
    ResourceKey resource = ResourceKey.of(key);
    gate.throwIfAborted(signal);
    return backend.reset(resource, signal);
  }

  /** Lets nothing begin any more; for the guard that made these counters. */
  public void close() {
    gate.close();
  }
}
