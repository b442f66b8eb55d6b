package io.syncguard.testkit.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When each node of a cluster was last seen to have become a master.
 *
 * <p>Redis 7.0 counts the votes that a node once won again if it stands for election within twice
 * the time an election may take. It then calls itself master under an old epoch, and no node grants
 * it the slots. So a node that was promoted a moment ago must not be promoted again.
 */
final class Promotions {
  private static final Duration VOTES_LIFETIME =
      Duration.ofMillis(4 * ClusterNode.NODE_TIMEOUT_MILLIS);

  private final Map<Integer, ClusterNode> masters = new ConcurrentHashMap<>();
  private final Map<ClusterNode, Long> promotedAtNanos = new ConcurrentHashMap<>();

  void noteMaster(int shard, ClusterNode master) {
    ClusterNode previous = masters.put(shard, master);
    if (previous != null && !previous.equals(master)) {
      promotedAtNanos.put(master, System.nanoTime());
    }
  }

  boolean isElectable(ClusterNode node) {
    Long promotedAt = promotedAtNanos.get(node);
    return promotedAt == null || System.nanoTime() - promotedAt > VOTES_LIFETIME.toNanos();
  }
}
