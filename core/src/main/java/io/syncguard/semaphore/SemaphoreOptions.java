package io.syncguard.semaphore;

import io.syncguard.internal.Lifetime;
import java.time.Duration;

/** How to wait for a permit and how to hold it. Immutable; start from {@link #defaults()}. */
public final class SemaphoreOptions {

  /** How often a client shows that it is alive unless told otherwise. */
  public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);

  /** How long a permit may be held unless told otherwise. */
  public static final Duration DEFAULT_TTL = Duration.ofMinutes(10);

  /** How long an acquisition waits unless told otherwise. */
  public static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(30);

  /** Two heartbeats may fail before a client counts as dead. */
  private static final int HEARTBEATS_PER_TIMEOUT = 3;

  private static final SemaphoreOptions DEFAULTS =
      new SemaphoreOptions(DEFAULT_HEARTBEAT, DEFAULT_TTL, DEFAULT_MAX_WAIT);

  private final Duration heartbeat;
  private final Duration ttl;
  private final Duration maxWait;

  /** Kept, as every request needs it and a Duration multiplies by way of BigDecimal. */
  private final Duration heartbeatTimeout;

  private SemaphoreOptions(Duration heartbeat, Duration ttl, Duration maxWait) {
    this.heartbeat = heartbeat;
    this.ttl = ttl;
    this.maxWait = maxWait;
    this.heartbeatTimeout = heartbeat.multipliedBy(HEARTBEATS_PER_TIMEOUT);
  }

  /** Returns: a heartbeat every 10 s, a permit held for 10 minutes at most, 30 s to wait. */
  public static SemaphoreOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with another time between heartbeats. A client that is silent for three
   * times as long counts as dead: it loses its slot or its place in the queue.
   */
  public SemaphoreOptions withHeartbeat(Duration interval) {
    return new SemaphoreOptions(
        Lifetime.check("The time between heartbeats", interval), ttl, maxWait);
  }

  /** Returns these options with another cap on the time that a permit may be held. */
  public SemaphoreOptions withTtl(Duration ttl) {
    return new SemaphoreOptions(heartbeat, Lifetime.check("A permit's lifetime", ttl), maxWait);
  }

  /** Returns these options with another time to wait; zero means a single attempt. */
  public SemaphoreOptions withMaxWait(Duration maxWait) {
    return new SemaphoreOptions(heartbeat, ttl, Lifetime.checkWait(maxWait));
  }

  /** Returns how often a client shows that it is alive. */
  public Duration heartbeat() {
    return heartbeat;
  }

  /** Returns how long a client may be silent before it counts as dead. */
  public Duration heartbeatTimeout() {
    return heartbeatTimeout;
  }

  /** Returns how long a permit may be held. */
  public Duration ttl() {
    return ttl;
  }

  /** Returns how long to wait. */
  public Duration maxWait() {
    return maxWait;
  }
}
