package io.syncguard.testkit.server;

import java.time.Duration;
import java.util.List;

/**
 * Makes a cluster of empty nodes: hands out the slots, introduces the nodes, and pairs the
 * replicas.
 */
final class ClusterFormation {
  private static final int SLOT_COUNT = 16_384;
  private static final Duration INTRODUCTION_LIMIT = Duration.ofSeconds(30);

  private ClusterFormation() {}

  /** Blocks until every replica knows its master; the cluster is not ready to serve yet. */
  static void form(List<ClusterShard> shards) {
    List<ClusterNode> nodes = shards.stream().flatMap(ClusterShard::nodes).toList();
    setDistinctEpochs(nodes);
    assignSlots(shards);
    introduceEveryPair(nodes);
    shards.forEach(ClusterFormation::replicate);
  }

  /** Nodes with equal epochs would first have to settle the collision among themselves. */
  private static void setDistinctEpochs(List<ClusterNode> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      String epoch = Integer.toString(i + 1);
      nodes.get(i).server().command("CLUSTER", "SET-CONFIG-EPOCH", epoch);
    }
  }

  private static void assignSlots(List<ClusterShard> shards) {
    for (int i = 0; i < shards.size(); i++) {
      String first = Integer.toString(i * SLOT_COUNT / shards.size());
      String last = Integer.toString((i + 1) * SLOT_COUNT / shards.size() - 1);
      shards.get(i).first().server().command("CLUSTER", "ADDSLOTSRANGE", first, last);
    }
  }

  /** One introduction each would do, but then the rest waits for gossip. */
  private static void introduceEveryPair(List<ClusterNode> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.subList(0, i).forEach(nodes.get(i)::meet);
    }
  }

  private static void replicate(ClusterShard shard) {
    String masterId = shard.first().id();
    RedisServer replica = shard.second().server();
    Await.until(
        "a replica to know its master",
        INTRODUCTION_LIMIT,
        () -> "OK".equals(replica.command("CLUSTER", "REPLICATE", masterId)));
  }
}
