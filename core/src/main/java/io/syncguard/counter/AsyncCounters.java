package io.syncguard.counter;

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
public interface AsyncCounters {

  /** Counts one, unless there were as many as are allowed; see {@link Counters#increment}. */
  CompletionStage<CounterResult> increment(String key, long max, Duration window);

  /** Tells how far a counter has come; empty if no window is under way. */
  CompletionStage<Optional<CounterState>> current(String key);

  /** Ends a window; tells whether one was under way. */
  CompletionStage<Boolean> reset(String key);
}
