package io.syncguard.testkit.server;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A master and its replica, which may have swapped roles. */
record ClusterShard(ClusterNode first, ClusterNode second) {

  Stream<ClusterNode> nodes() {
    return Stream.of(first, second);
  }

  ClusterNode other(ClusterNode node) {
    return node.equals(first) ? second : first;
  }

  /** Whether this node, too, sees the one master there is and the replica, if that is up. */
  boolean isAgreedBy(ClusterView view) {
    Optional<ClusterNode> master = onlyMasterUp();
    return master.filter(node -> view.seesServingMaster(node.id())).isPresent()
        && master.filter(node -> followsIfUp(other(node), node, view)).isPresent();
  }

  private static boolean followsIfUp(ClusterNode replica, ClusterNode master, ClusterView view) {
    return !replica.isUp()
        || (replica.isLinkedReplica() && view.seesReplica(replica.id(), master.id()));
  }

  /** Returns the node that is up and says that it is the master, unless both do. */
  Optional<ClusterNode> onlyMasterUp() {
    List<ClusterNode> masters =
        nodes().filter(ClusterNode::isUp).filter(ClusterNode::isMaster).toList();
    return masters.size() == 1 ? Optional.of(masters.get(0)) : Optional.empty();
  }
}
