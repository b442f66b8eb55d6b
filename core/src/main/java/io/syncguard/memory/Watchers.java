package io.syncguard.memory;

import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Who waits for which key. */
final class Watchers {

  private final ConcurrentHashMap<ResourceKey, Set<Watcher>> byKey = new ConcurrentHashMap<>();

  LockWatch add(ResourceKey key, Runnable hint) {
    Watcher watcher = new Watcher(key, hint);
    byKey.compute(
        key,
        (k, present) -> {
          Set<Watcher> watching = present == null ? ConcurrentHashMap.newKeySet() : present;
          watching.add(watcher);
          return watching;
        });
    return watcher;
  }

  void hint(ResourceKey key) {
    if (byKey.isEmpty()) {
      return;
    }
    Set<Watcher> watching = byKey.get(key);
    if (watching != null) {
      watching.forEach(watcher -> watcher.hint.run());
    }
  }

  private final class Watcher implements LockWatch {

    private final ResourceKey key;
    private final Runnable hint;

    Watcher(ResourceKey key, Runnable hint) {
      this.key = key;
      this.hint = hint;
    }

    @Override
    public void close() {
      byKey.computeIfPresent(
          key,
          (k, watching) -> {
            watching.remove(this);
            return watching.isEmpty() ? null : watching;
          });
    }
  }
}
