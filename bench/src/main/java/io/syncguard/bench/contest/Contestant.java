package io.syncguard.bench.contest;

import java.time.Duration;

/** One way to lock. Thread-safe. */
public interface Contestant extends AutoCloseable {

  /** How long a lock lives with every contestant. */
  Duration LEASE = Duration.ofSeconds(30);

  /** Blocks while it takes and frees a lock that no other thread wants. */
  void cycle(String key) throws Exception;

  @Override
  void close();

  /** Fails the run if a lock that must be free was not. */
  static void require(boolean success, String what) {
    if (!success) {
      throw new IllegalStateException("No other contestant has the key, yet this failed: " + what);
    }
  }
}
