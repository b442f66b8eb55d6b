package io.syncguard.sql;

import io.syncguard.spi.LockWatch;
import java.util.Optional;

/** How waiters learn that a lock may be free. Thread-safe. */
interface Waiting extends AutoCloseable {

  /** Says that nobody needs to be told. */
  String NO_CHANNEL = "";

  /** The way of those who have to ask again and again. */
  Waiting POLLING =
      new Waiting() {
        @Override
        public Optional<LockWatch> watch(String storageKey, Runnable hint) {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  /** Notes a waiter's interest and returns at once; empty if it has to poll. */
  Optional<LockWatch> watch(String storageKey, Runnable hint);

  /** Returns at once where a waiter wants to be told. */
  default String channel() {
    return NO_CHANNEL;
  }

  /** Ends all interests. */
  @Override
  void close();
}
