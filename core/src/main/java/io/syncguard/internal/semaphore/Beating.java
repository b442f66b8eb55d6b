package io.syncguard.internal.semaphore;

import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import java.time.Duration;

/** A waiter or a holder whose heartbeats {@link Heartbeats} sends. */
abstract class Beating {

  private final PermitReference permit;
  private final Duration timeout;
  private final long intervalNanos;

  /** Belongs to {@link Heartbeats}. */
  long nextBeatAt;

  Beating(PermitReference permit, Duration interval, Duration timeout, long lastSignOfLifeAt) {
    this.permit = permit;
    this.timeout = timeout;
    this.intervalNanos = TimeSource.saturatedNanos(interval);
    this.nextBeatAt = lastSignOfLifeAt + intervalNanos;
  }

  /** Has the first heartbeat come after this time, if that is sooner; before it is added. */
  final void beatsFirstAfter(Duration time) {
    nextBeatAt = nextBeatAt - intervalNanos + Math.min(intervalNanos, time.toNanos());
  }

  final PermitReference permit() {
    return permit;
  }

  final Duration timeout() {
    return timeout;
  }

  final long intervalNanos() {
    return intervalNanos;
  }

  /**
   * Takes what the store knows of the permit.
   *
   * @param askedAt when the heartbeat was sent
   */
  abstract void answered(PermitState state, long askedAt);

  /** Takes that the guard is closed and no heartbeat will follow. */
  abstract void orphaned();

  /** Returns in how many nanoseconds {@link #giveUp} is due if no heartbeat is answered. */
  long nanosToGiveUp() {
    return Long.MAX_VALUE;
  }

  void giveUp() {}
}
