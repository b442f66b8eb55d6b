package io.syncguard.lock;

import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Remembers keys for a second, not reliably: a key may be forgotten for another one. */
final class RecentKeys {

  private static final int SIZE = 256;
  private static final Duration MEMORY = Duration.ofSeconds(1);

  private record Entry(ResourceKey key, long at) {}

  private final TimeSource time;
  private final AtomicReferenceArray<Entry> entries = new AtomicReferenceArray<>(SIZE);

  RecentKeys(TimeSource time) {
    this.time = time;
  }

  void add(ResourceKey key) {
    entries.set(index(key), new Entry(key, time.nanoTime()));
  }

  boolean contains(ResourceKey key) {
    Entry entry = entries.get(index(key));
    return entry != null
        && entry.key().equals(key)
        && time.nanoTime() - entry.at() < MEMORY.toNanos();
  }

  private static int index(ResourceKey key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (SIZE - 1);
  }
}
