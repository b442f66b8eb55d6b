package io.syncguard.testkit.server;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A master and its replica, which may have swapped roles. */
record ClusterShard(ClusterNode first, ClusterNode second) {

  Stream<ClusterNode> nodes() {
    return Stream.of(first, second);
  }

  /** Blocks until exactly one node that is up says that it is the master. */
  ClusterNode awaitMaster(Duration limit) {
    return Await.untilPresent(
        "one master of ports " + first.server().port() + " and " + second.server().port(),
        limit,
        this::onlyMasterUp);
  }

  ClusterNode other(ClusterNode node) {
    return node.equals(first) ? second : first;
  }

  /** Whether this node, too, sees the one master there is and the replica, if that is up. */
  boolean isAgreedBy(ClusterView view) {
    Optional<ClusterNode> master = onlyMasterUp();
    return master.filter(node -> view.seesMaster(node.id())).isPresent()
        && master.filter(node -> followsIfUp(other(node), node, view)).isPresent();
  }

  private static boolean followsIfUp(ClusterNode replica, ClusterNode master, ClusterView view) {
    return !replica.isUp()
        || (replica.isLinkedReplica() && view.seesReplica(replica.id(), master.id()));
  }

  private Optional<ClusterNode> onlyMasterUp() {
    List<ClusterNode> masters =
        nodes().filter(ClusterNode::isUp).filter(ClusterNode::isMaster).toList();
    return masters.size() == 1 ? Optional.of(masters.get(0)) : Optional.empty();
  }
}
