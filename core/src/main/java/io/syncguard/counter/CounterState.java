package io.syncguard.counter;

import java.time.Instant;

/**
 * How far a counter had come at a moment.
 *
 * @param count how many there were in the window, at least 1
 * @param resetAt when the window ends, by the store's clock; {@link Instant#MAX} if somebody took
 *     its end away in the store, which the next increment puts right
 */
public record CounterState(long count, Instant resetAt) {}
