package io.syncguard.memory;

import io.syncguard.lock.LockId;
import java.util.LinkedHashMap;
import java.util.Map;

/** The waiters for one key, in order of arrival. Not thread-safe: only in a step on the key. */
final class LockQueue {

  private final Map<LockId, Long> tickets = new LinkedHashMap<>();

  boolean isEmpty() {
    return tickets.isEmpty();
  }

  LockId first() {
    return tickets.keySet().iterator().next();
  }

  boolean isFirst(LockId waiter) {
    return first().equals(waiter);
  }

  boolean has(LockId waiter) {
    return tickets.containsKey(waiter);
  }

  /** Takes a place at the end, or keeps the one that the waiter has; returns its ticket. */
  long join(LockId waiter, LockWaiters waiters) {
    return tickets.computeIfAbsent(waiter, joining -> waiters.nextTicket());
  }

  /** Returns whether the waiter had a place. */
  boolean leave(LockId waiter) {
    return tickets.remove(waiter) != null;
  }

  void clear() {
    tickets.clear();
  }
}
