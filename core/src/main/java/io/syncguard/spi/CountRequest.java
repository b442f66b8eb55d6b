package io.syncguard.spi;

import java.time.Duration;

/**
 * One increment of a limited counter.
 *
 * @param key what is counted
 * @param max how many are allowed in a window; from 1 to 2<sup>53</sup> - 1
 * @param window how long a window lasts that this increment begins; whole milliseconds, at least
 *     one
 */
public record CountRequest(ResourceKey key, long max, Duration window) {}
