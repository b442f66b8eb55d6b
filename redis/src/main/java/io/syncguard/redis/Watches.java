package io.syncguard.redis;

import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.syncguard.spi.LockWatch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Which waiters want to hear of which key. */
final class Watches {

  private final ConcurrentHashMap<String, Set<Runnable>> byKey = new ConcurrentHashMap<>();

  /**
   * Notes an interest.
   *
   * @param told whether Redis tells of changes to this key now
   */
  LockWatch add(String lockKey, Runnable hint, BooleanSupplier told) {
    byKey.compute(
        lockKey,
        (key, present) -> {
          Set<Runnable> hints = present == null ? ConcurrentHashMap.newKeySet() : present;
          hints.add(hint);
          return hints;
        });
    return new LockWatch() {
      @Override
      public boolean isTold() {
        return told.getAsBoolean();
      }

      @Override
      public void close() {
        byKey.computeIfPresent(
            lockKey,
            (key, hints) -> {
              hints.remove(hint);
              return hints.isEmpty() ? null : hints;
            });
      }
    };
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

  void hint(String lockKey) {
    Set<Runnable> hints = byKey.get(lockKey);
    if (hints != null) {
      hints.forEach(Runnable::run);
    }
  }

  void hintAll() {
    byKey.values().forEach(hints -> hints.forEach(Runnable::run));
  }
}
