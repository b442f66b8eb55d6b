package io.syncguard.redis;

import io.syncguard.spi.ResourceKey;
import java.text.Normalizer;

/**
 * Which Redis keys secrets, counters and rate limiters have: one each, so that any slot of a
 * cluster will do. They are below {@code prefix:id:}, where no user's lock can be, and where a
 * lock's index key has no colon.
 */
final class LimitLayout {

  private final String prefix;

  LimitLayout(String prefix) {
    this.prefix = Normalizer.normalize(prefix, Normalizer.Form.NFC) + ":id:";
  }

  /** What a secret's key is called, up to its id. */
  String secrets() {
    return prefix + "secret:";
  }

  String counter(ResourceKey key) {
    return prefix + "count:" + key.value();
  }

  String limiter(ResourceKey name) {
    return prefix + "rate:" + name.value();
  }
}
