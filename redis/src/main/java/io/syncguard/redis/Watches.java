package io.syncguard.redis;

import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.LockWatches;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Which waiters want to hear of which key, as Redis tells it. */
final class Watches {

  private final LockWatches<String> byKey = new LockWatches<>();

  /**
   * Notes an interest.
   *
   * @param told whether Redis tells of changes to this key now
   */
  LockWatch add(String lockKey, Runnable hint, BooleanSupplier told) {
    return byKey.add(lockKey, hint, told);
  }

  /** Passes on what Redis says of changed keys; null stands for all of them. */
  void onPush(PushMessage message) {
    if (!message.getType().equals("invalidate")) {
      return;
    }
    List<Object> content = message.getContent(StringCodec.UTF8::decodeKey);
    if (content.size() > 1 && content.get(1) instanceof List<?> keys) {
      keys.forEach(key -> hint(String.valueOf(key)));
    } else {
      hintAll();
    }
  }

  /** Hints those who watch this key. */
  void hint(String key) {
    byKey.hint(key);
  }

  void hintAll() {
    byKey.hintAll();
  }
}
