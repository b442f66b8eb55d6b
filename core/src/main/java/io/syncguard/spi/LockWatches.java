package io.syncguard.spi;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Which waiters want to hear of which lock, for stores that notify. Thread-safe.
 *
 * @param <K> what such a store knows a lock by
 */
public final class LockWatches<K> {

  private final ConcurrentHashMap<K, Set<Watch>> byKey = new ConcurrentHashMap<>();

  /** Creates an empty one. */
  public LockWatches() {}

  /**
   * Notes an interest and returns at once.
   *
   * @param told whether the store tells of this lock now
   */
  public LockWatch add(K key, Runnable hint, BooleanSupplier told) {
    Watch watch = new Watch(key, hint, told);
    byKey.compute(
        key,
        (k, present) -> {
          Set<Watch> watches = present == null ? ConcurrentHashMap.newKeySet() : present;
          watches.add(watch);
          return watches;
        });
    return watch;
  }

  /** Gives a hint to those who watch this lock. */
  public void hint(K key) {
    if (byKey.isEmpty()) {
      return;
    }
    Set<Watch> watches = byKey.get(key);
    if (watches != null) {
      watches.forEach(watch -> watch.hint.run());
    }
  }

  /** Gives a hint to everybody. */
  public void hintAll() {
    byKey.keySet().forEach(this::hint);
  }

  /** Returns at once the locks that somebody watches now. */
  public List<K> keys() {
    return List.copyOf(byKey.keySet());
  }

  /** Returns at once whether nobody watches anything. */
  public boolean isEmpty() {
    return byKey.isEmpty();
  }

  private final class Watch implements LockWatch {

    private final K key;
    private final Runnable hint;
    private final BooleanSupplier told;

    Watch(K key, Runnable hint, BooleanSupplier told) {
      this.key = key;
      this.hint = hint;
      this.told = told;
    }

    @Override
    public boolean isTold() {
      return told.getAsBoolean();
    }

    @Override
    public void close() {
      byKey.computeIfPresent(
          key,
          (k, watches) -> {
            watches.remove(this);
            return watches.isEmpty() ? null : watches;
          });
    }
  }
}
