package io.syncguard.internal.lock;

import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A waiter of this process with a place in a lock's queue.
 *
 * @param waiter which one
 * @param ticket its place
 * @param remaining how long until the present holder's lock ends, as far as it was known
 * @param polls whether the store tells it nothing now
 * @param lookAgain has it ask the store
 * @param stillWaiting takes when the store was asked that said that it still waits
 */
record QueuedLock(
    LockReference waiter,
    long ticket,
    Duration remaining,
    BooleanSupplier polls,
    Runnable lookAgain,
    LongConsumer stillWaiting) {

  /** First come, first. Two of a key never have one ticket, but a place may have been lost. */
  static final Comparator<QueuedLock> ORDER =
      Comparator.comparingLong(QueuedLock::ticket)
          .thenComparing(place -> place.waiter().lockId().value());

  ResourceKey key() {
    return Objects.requireNonNull(waiter.key());
  }
}
