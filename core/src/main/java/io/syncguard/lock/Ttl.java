package io.syncguard.lock;

import io.syncguard.internal.Lifetime;
import java.time.Duration;

/** What can be a lock's lifetime. */
final class Ttl {

  private Ttl() {}

  /** Returns the lifetime in whole milliseconds, never longer than was asked for. */
  static Duration check(Duration ttl) {
    return Lifetime.check("A lock's lifetime", ttl);
  }
}
