package io.syncguard.testkit.server;

import java.util.ArrayList;
import java.util.List;

/**
 * A slot on its way from one master to another. Until {@link #finish}, the source redirects with
 * {@code ASK} for keys it does not hold.
 */
public final class SlotMove {
  private static final String BATCH_SIZE = "100";
  private static final String MIGRATE_TIMEOUT_MILLIS = "5000";

  private final RedisCluster cluster;
  private final int slot;
  private final ClusterNode source;
  private final ClusterNode target;

  private SlotMove(RedisCluster cluster, int slot, ClusterNode source, ClusterNode target) {
    this.cluster = cluster;
    this.slot = slot;
    this.source = source;
    this.target = target;
  }

  static SlotMove begin(RedisCluster cluster, int slot, ClusterNode source, ClusterNode target) {
    SlotMove move = new SlotMove(cluster, slot, source, target);
    move.setSlot(target, "IMPORTING", source.id());
    move.setSlot(source, "MIGRATING", target.id());
    return move;
  }

  /** Blocks until the target holds all keys of the slot, which still belongs to the source. */
  public void moveKeys() {
    for (List<?> keys = nextKeys(); !keys.isEmpty(); keys = nextKeys()) {
      List<String> migrate = new ArrayList<>();
      migrate.addAll(List.of("MIGRATE", "127.0.0.1", Integer.toString(target.server().port())));
      migrate.addAll(List.of("", "0", MIGRATE_TIMEOUT_MILLIS, "KEYS"));
      keys.forEach(key -> migrate.add(String.valueOf(key)));
      source.server().command(migrate.toArray(String[]::new));
    }
  }

  /** Moves the keys that are left and blocks until every node sees the target as the owner. */
  public void finish() {
    moveKeys();
    setSlot(target, "NODE", target.id());
    setSlot(source, "NODE", target.id());
    cluster.awaitAgreement(
        () -> cluster.nodesUp().allMatch(node -> node.view().seesOwner(slot, target.id())));
  }

  private List<?> nextKeys() {
    Object keys =
        source.server().command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), BATCH_SIZE);
    return keys instanceof List<?> list ? list : List.of();
  }

  private void setSlot(ClusterNode node, String state, String nodeId) {
    node.server().command("CLUSTER", "SETSLOT", Integer.toString(slot), state, nodeId);
  }
}
