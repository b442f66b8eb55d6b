package io.syncguard.spi;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Which waiters want to hear of what, for stores that notify. Thread-safe.
 *
 * @param <K> what such a store knows it by
 */
public final class Watches<K> {

  private final ConcurrentHashMap<K, Set<Interest>> byKey = new ConcurrentHashMap<>();

  /** Creates an empty one. */
  public Watches() {}

  /**
   * Notes an interest and returns at once.
   *
   * @param told whether the store tells of it now
   */
  public Watch add(K key, Runnable hint, BooleanSupplier told) {
    Interest watch = new Interest(key, hint, told);
    byKey.compute(
        key,
        (k, present) -> {
          Set<Interest> watches = present == null ? ConcurrentHashMap.newKeySet() : present;
          watches.add(watch);
          return watches;
        });
    return watch;
  }

  /** Gives a hint to all who watch this key. */
  public void hint(K key) {
    if (byKey.isEmpty()) {
      return;
    }
    Set<Interest> watches = byKey.get(key);
    if (watches != null) {
      watches.forEach(watch -> watch.hint.run());
    }
  }

  /** Gives a hint to all who watch anything. */
  public void hintAll() {
    byKey.keySet().forEach(this::hint);
  }

  /** Returns at once what is watched now. */
  public List<K> keys() {
    return List.copyOf(byKey.keySet());
  }

  /** Returns at once whether nothing is watched. */
  public boolean isEmpty() {
    return byKey.isEmpty();
  }

  private final class Interest implements Watch {

    private final K key;
    private final Runnable hint;
    private final BooleanSupplier told;

    Interest(K key, Runnable hint, BooleanSupplier told) {
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
