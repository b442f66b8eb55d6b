package io.syncguard.bench.redis;

import java.time.Duration;

/** One client of Redis that can lock. Thread-safe. */
interface Contestant extends AutoCloseable {

  /** How long a lock lives with every contestant. */
  Duration LEASE = Duration.ofSeconds(30);

  /** Blocks while it takes and frees a lock that nobody else wants. */
  void cycle(String key) throws Exception;

  @Override
  void close();

  /** Fails the run if a lock that must be free was not. */
  static void require(boolean success, String what) {
    if (!success) {
      throw new IllegalStateException("Nobody else has the key, yet this failed: " + what);
    }
  }
}
