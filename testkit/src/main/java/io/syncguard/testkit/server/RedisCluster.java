package io.syncguard.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real Redis Cluster on local ports: three shards, each a master with one replica.
 *
 * <p>Thread-safe, but one thread at a time may change the topology. A shard keeps its index over a
 * failover.
 */
public final class RedisCluster implements AutoCloseable {
  private static final int SHARD_COUNT = 3;
  private static final Duration FAILOVER_ORDER_LIFETIME = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<ClusterShard> shards = new ArrayList<>();
  private final Promotions promotions = new Promotions();

  private RedisCluster() {}

  /**
   * Blocks, for about three seconds, until a new cluster serves every slot and is fully replicated.
   */
  public static RedisCluster start() {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int i = 0; i < SHARD_COUNT; i++) {
        cluster.shards.add(new ClusterShard(ClusterNode.start(), ClusterNode.start()));
      }
      ClusterFormation.form(cluster.shards);
      cluster.awaitAgreement(() -> true);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Returns at once the {@code redis://} URIs of all nodes, up or down. */
  public List<String> uris() {
    return nodes().map(node -> node.server().uri()).toList();
  }

  /**
   * Blocks until all live nodes see one live master serve the shard, so also for the promotion
   * after a kill.
   */
  public RedisServer master(int shard) {
    return awaitMaster(shard).server();
  }

  /** Blocks until the shard has a master and returns the other node, up or down. */
  public RedisServer replica(int shard) {
    return shards.get(shard).other(awaitMaster(shard)).server();
  }

  /** Blocks for one reply and returns the slot of a key. */
  public int slot(String key) {
    Object slot = anyNodeUp().server().command("CLUSTER", "KEYSLOT", key);
    return Integer.parseInt(String.valueOf(slot));
  }

  /** Blocks for a few replies and returns the index of the shard that owns a slot. */
  public int shardOf(int slot) {
    ClusterView view = anyNodeUp().view();
    for (int i = 0; i < SHARD_COUNT; i++) {
      if (shards.get(i).nodes().anyMatch(node -> view.seesOwner(slot, node.id()))) {
        return i;
      }
    }
    throw new IllegalStateException("No shard owns slot " + slot);
  }

  /**
   * Promotes the replica in order and blocks until every node agrees; returns the new master. Twice
   * in a row takes some ten seconds.
   */
  public RedisServer failover(int shard) {
    RedisServer promoted = awaitElectableReplica(shard);
    Await.until("a failover of shard " + shard, LIMIT, () -> isPromoted(promoted));
    awaitSuccession(shard, promoted);
    return promoted;
  }

  /** Kills the master and blocks until its replica has taken over; returns the new master. */
  public RedisServer killMaster(int shard) {
    RedisServer promoted = awaitElectableReplica(shard);
    master(shard).kill();
    awaitSuccession(shard, promoted);
    return promoted;
  }

  /** Pauses the master and blocks until its replica has taken over; returns the paused one. */
  public RedisServer pauseMaster(int shard) {
    RedisServer promoted = awaitElectableReplica(shard);
    RedisServer paused = master(shard);
    paused.pause();
    awaitSuccession(shard, promoted);
    return paused;
  }

  /** Moves a slot with its keys while the cluster serves, and blocks until every node agrees. */
  public void moveSlot(int slot, int fromShard, int toShard) {
    beginSlotMove(slot, fromShard, toShard).finish();
  }

  /** Blocks for a few replies and leaves the slot in the migrating state, with its keys unmoved. */
  public SlotMove beginSlotMove(int slot, int fromShard, int toShard) {
    ClusterNode source = awaitMaster(fromShard);
    ClusterNode target = awaitMaster(toShard);
    return SlotMove.begin(this, slot, source, target);
  }

  /** Blocks until all nodes are dead and their data directories are gone. */
  @Override
  public void close() {
    nodes().forEach(node -> node.server().close());
  }

  Stream<ClusterNode> nodesUp() {
    return nodes().filter(ClusterNode::isUp);
  }

  void awaitAgreement(Await.Question<Boolean> condition) {
    Await.until(
        "all cluster nodes to agree",
        LIMIT,
        () -> condition.ask() && nodesUp().allMatch(this::agrees));
  }

  /**
   * The voters refuse to replace the same master twice within twice the node timeout, and then the
   * order lapses in silence; so it has to be given again.
   */
  private static boolean isPromoted(RedisServer replica) {
    if (!ClusterNode.isMaster(replica)) {
      replica.command("CLUSTER", "FAILOVER");
    }
    return Await.within(FAILOVER_ORDER_LIFETIME, () -> ClusterNode.isMaster(replica));
  }

  private ClusterNode awaitMaster(int shard) {
    ClusterNode master =
        Await.untilPresent(
            "all cluster nodes to see a master of shard " + shard,
            LIMIT,
            () -> shards.get(shard).onlyMasterUp().filter(this::isSeenServing));
    promotions.noteMaster(shard, master);
    return master;
  }

  private RedisServer awaitElectableReplica(int shard) {
    ClusterNode replica = shards.get(shard).other(awaitMaster(shard));
    Await.until("votes to be forgotten", LIMIT, () -> promotions.isElectable(replica));
    awaitAgreement(() -> true);
    return replica.server();
  }

  private void awaitSuccession(int shard, RedisServer promoted) {
    awaitAgreement(() -> master(shard).equals(promoted));
  }

  private boolean isSeenServing(ClusterNode master) {
    return nodesUp().allMatch(node -> node.view().seesServingMaster(master.id()));
  }

  private boolean agrees(ClusterNode node) {
    if (!node.seesClusterOk()) {
      return false;
    }
    ClusterView view = node.view();
    return shards.stream().allMatch(shard -> shard.isAgreedBy(view));
  }

  private Stream<ClusterNode> nodes() {
    return shards.stream().flatMap(ClusterShard::nodes);
  }

  private ClusterNode anyNodeUp() {
    return nodesUp().findFirst().orElseThrow(() -> new IllegalStateException("No node is up"));
  }
}
