package io.syncguard.internal.semaphore;

import io.syncguard.spi.ResourceKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The waiters whose store cannot notify them, by the name that they wait for, so that a release
 * looks at those alone whom it concerns. Thread-safe.
 */
final class PollingWaiters {

  private final ConcurrentHashMap<ResourceKey, Set<QueuedPermit>> byName =
      new ConcurrentHashMap<>();

  /** Notes a waiter, if it polls. */
  void add(Beating member) {
    if (member instanceof QueuedPermit waiter && waiter.polls()) {
      byName.compute(
          waiter.permit().name(),
          (name, present) -> {
            Set<QueuedPermit> waiters = present == null ? ConcurrentHashMap.newKeySet() : present;
            waiters.add(waiter);
            return waiters;
          });
    }
  }

  void remove(Beating member) {
    if (member instanceof QueuedPermit waiter && waiter.polls()) {
      byName.computeIfPresent(
          waiter.permit().name(),
          (name, waiters) -> {
            waiters.remove(waiter);
            return waiters.isEmpty() ? null : waiters;
          });
    }
  }

  Set<QueuedPermit> of(ResourceKey name) {
    return byName.getOrDefault(name, Set.of());
  }

  /** Returns for how many names waiters poll. */
  int names() {
    return byName.size();
  }

  void clear() {
    byName.clear();
  }
}
