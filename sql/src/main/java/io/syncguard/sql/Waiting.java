package io.syncguard.sql;

import io.syncguard.spi.LockWatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How waiters learn that a lock may be free. Thread-safe. */
interface Waiting extends AutoCloseable {

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

  /** Returns at once where a waiter wants to be told, or null if it need not leave word. */
  default @Nullable String channel() {
    return null;
  }

  /** Ends all interests. */
  @Override
  void close();
}
