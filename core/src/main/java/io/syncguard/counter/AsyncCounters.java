package io.syncguard.counter;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Gate;
import io.syncguard.spi.AsyncLimitBackend;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The operations of {@link Counters} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public final class AsyncCounters {

  private final AsyncLimitBackend backend;
  private final Gate gate;
  private final CancelSignal signal;

  AsyncCounters(AsyncLimitBackend backend, Gate gate, CancelSignal signal) {
    this.backend = backend;
    this.gate = gate;
    this.signal = signal;
  }

  /** Counts one, unless there were as many as are allowed; see {@link Counters#increment}. */
  public CompletionStage<CounterResult> increment(String key, long max, Duration window) {
    return gate.begin(signal, () -> backend.increment(Counters.request(key, max, window), signal));
  }

  /** Tells how far a counter has come; empty if no window is under way. */
  public CompletionStage<Optional<CounterState>> current(String key) {
    return gate.begin(signal, () -> backend.current(ResourceKey.of(key), signal));
  }

  /** Ends a window; tells whether one was under way. */
  public CompletionStage<Boolean> reset(String key) {
    return gate.begin(signal, () -> backend.reset(ResourceKey.of(key), signal));
  }
}
