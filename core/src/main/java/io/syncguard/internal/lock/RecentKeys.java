package io.syncguard.internal.lock;

import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the keys that were waited for a moment ago, and who of this process holds them, not
 * reliably: a key may be forgotten for another one.
 */
final class RecentKeys {

  private static final int SIZE = 256;
  private static final Duration MEMORY = Duration.ofSeconds(1);

  private record Entry(ResourceKey key, Tenure tenure, long at) {}

  private final TimeSource time;
  private final AtomicReferenceArray<Entry> entries = new AtomicReferenceArray<>(SIZE);

  RecentKeys(TimeSource time) {
    this.time = time;
  }

  void add(ResourceKey key, Tenure tenure) {
    entries.set(index(key), new Entry(key, tenure, time.nanoTime()));
  }

  boolean contains(ResourceKey key) {
    Entry entry = entry(key);
    return entry != null && time.nanoTime() - entry.at() < MEMORY.toNanos();
  }

  @Nullable Tenure tenureOf(ResourceKey key) {
    Entry entry = entry(key);
    return entry == null ? null : entry.tenure();
  }

  private @Nullable Entry entry(ResourceKey key) {
    Entry entry = entries.get(index(key));
    return entry != null && entry.key().equals(key) ? entry : null;
  }

  private static int index(ResourceKey key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (SIZE - 1);
  }
}
