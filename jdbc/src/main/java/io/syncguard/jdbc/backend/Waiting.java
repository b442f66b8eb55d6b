package io.syncguard.jdbc.backend;

import io.syncguard.spi.Watch;
import java.util.Optional;

/** How waiters learn that what they wait for may be theirs. Thread-safe. */
public interface Waiting extends AutoCloseable {

  /** Says that there is no waiter to be told. */
  String NO_CHANNEL = "";

  /** For waiters that ask again and again, because the store tells them nothing. */
  Waiting POLLING =
      new Waiting() {
        @Override
        public Optional<Watch> watch(String storageKey, Runnable hint) {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  /** Notes a waiter's interest and returns at once; empty if the waiter has to poll. */
  Optional<Watch> watch(String storageKey, Runnable hint);

  /** Returns at once where a waiter wants to be told. */
  default String channel() {
    return NO_CHANNEL;
  }

  /** Ends all interests. */
  @Override
  void close();
}
