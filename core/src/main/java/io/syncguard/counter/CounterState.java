package io.syncguard.counter;

import java.time.Instant;

/**
 * How far a counter had come at a moment.
 *
 * @param count how many there were in the window, at least 1
 * @param resetAt when the window ends, by the store's clock; {@link Instant#MAX} for a counter that
 *     was found without an end, which the next increment gives it
 */
public record CounterState(long count, Instant resetAt) {}
