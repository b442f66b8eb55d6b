package io.syncguard.internal.lock;

import io.syncguard.spi.ResourceKey;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one guard where the store has no queue, lined up by key, so that only the first
 * asks the store. Thread-safe.
 */
final class LocalLines {

  private final ConcurrentHashMap<ResourceKey, Set<Place>> lines = new ConcurrentHashMap<>();

  /** Joins the end of the key's line; the wake-up runs when the place has become the first. */
  Place join(ResourceKey key, Runnable wakeUp) {
    Place place = new Place(key, wakeUp);
    lines.compute(
        key,
        (same, present) -> {
          Set<Place> line = present == null ? new LinkedHashSet<>() : present;
          place.first = line.isEmpty();
          line.add(place);
          return line;
        });
    return place;
  }

  /** Has the first waiter look: this guard has released the lock. */
  void released(ResourceKey key) {
    wake(first(key));
  }

  private @Nullable Place first(ResourceKey key) {
    Place[] first = new Place[1];
    lines.computeIfPresent(
        key,
        (same, line) -> {
          first[0] = line.iterator().next();
          return line;
        });
    return first[0];
  }

  private static void wake(@Nullable Place place) {
    if (place != null) {
      place.wakeUp.run();
    }
  }

  /** A waiter's place in the line. */
  final class Place {

    private final ResourceKey key;
    private final Runnable wakeUp;
    private volatile boolean first;

    private Place(ResourceKey key, Runnable wakeUp) {
      this.key = key;
      this.wakeUp = wakeUp;
    }

    boolean isFirst() {
      return first;
    }

    /** Leaves the line; if this was the first place, the next one's turn comes. */
    void leave() {
      Place[] next = new Place[1];
      lines.computeIfPresent(
          key,
          (same, line) -> {
            line.remove(this);
            if (line.isEmpty()) {
              return null;
            }
            Place head = line.iterator().next();
            next[0] = head.first ? null : head;
            head.first = true;
            return line;
          });
      wake(next[0]);
    }
  }
}
