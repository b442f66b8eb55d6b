package io.syncguard.jdbc.backend;

import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.util.Optional;

/** How waiters learn that what they wait for may be theirs. Thread-safe. */
public interface Waiting extends AutoCloseable {

  /** Says that there is no waiter to be told. */
  String NO_CHANNEL = "";

  /** For waiters that ask again and again, because the store tells them nothing. */
  Waiting POLLING =
      new Waiting() {
        @Override
        public Optional<Watch> watch(String id, WaiterHints<Granted> hints) {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  /**
   * Notes a waiter's interest and returns at once; empty if the waiter has to poll.
   *
   * @param id the waiter's lockId, or its permit's id
   */
  Optional<Watch> watch(String id, WaiterHints<Granted> hints);

  /** Takes that a waiter waits, so that it is worth a connection to hear of changes. */
  default void listen() {}

  /**
   * Takes that a step of this process granted a lock to a waiter of this process, and tells it. It
   * returns at once, and does nothing for a waiter that polls.
   */
  default void granted(String lockId, Granted grant) {}

  /** Returns at once where a waiter wants to be told. */
  default String channel() {
    return NO_CHANNEL;
  }

  /** Ends all interests. */
  @Override
  void close();
}
