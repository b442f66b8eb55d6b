package io.syncguard.internal.semaphore;

import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * A permit that waits in the queue. Its heartbeats come often enough to find a grant that it was
 * not told of before the grant's lease is over.
 */
final class QueuedPermit extends Beating {

  private static final Duration MOST_BETWEEN_LOOKS = GrantLease.LONGEST.dividedBy(3);

  /** Where the store cannot notify, this is how long a free slot may stay unused. */
  private static final Duration POLLING = Duration.ofMillis(50);

  private final Runnable lookAgain;
  private final LongConsumer stillWaiting;
  private final boolean polls;

  QueuedPermit(
      PermitReference permit,
      SemaphoreOptions options,
      boolean watched,
      long lastSignOfLifeAt,
      Runnable lookAgain,
      LongConsumer stillWaiting) {
    super(
        permit,
        shorter(options.heartbeat(), watched ? MOST_BETWEEN_LOOKS : POLLING),
        options.heartbeatTimeout(),
        lastSignOfLifeAt);
    this.lookAgain = lookAgain;
    this.stillWaiting = stillWaiting;
    this.polls = !watched;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  boolean polls() {
    return polls;
  }

  @Override
  void answered(PermitState state, long askedAt) {
    if (state == PermitState.WAITING) {
      stillWaiting.accept(askedAt);
    } else {
      lookAgain.run();
    }
  }

  @Override
  void orphaned() {
    lookAgain.run();
  }
}
