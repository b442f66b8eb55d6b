package io.syncguard.testkit.server;

/** A server that is part of a cluster, with the id it is known by there. */
record ClusterNode(RedisServer server, String id, int busPort) {
  static final int NODE_TIMEOUT_MILLIS = 2000;

  static ClusterNode start() {
    int busPort = FreePorts.next();
    RedisServer server =
        RedisServer.start(
            "--cluster-enabled", "yes",
            "--cluster-port", Integer.toString(busPort),
            "--cluster-node-timeout", Integer.toString(NODE_TIMEOUT_MILLIS),
            "--cluster-replica-validity-factor", "0",
            "--cluster-allow-replica-migration", "no");
    return new ClusterNode(server, String.valueOf(server.command("CLUSTER", "MYID")), busPort);
  }

  void meet(ClusterNode other) {
    String port = Integer.toString(other.server.port());
    server.command("CLUSTER", "MEET", "127.0.0.1", port, Integer.toString(other.busPort));
  }

  boolean isUp() {
    return server.isUp();
  }

  boolean isMaster() {
    return isMaster(server);
  }

  static boolean isMaster(RedisServer server) {
    return server.field("role", "INFO", "replication").equals("master");
  }

  boolean isLinkedReplica() {
    return server.field("master_link_status", "INFO", "replication").equals("up");
  }

  boolean seesClusterOk() {
    return server.field("cluster_state", "CLUSTER", "INFO").equals("ok");
  }

  ClusterView view() {
    return ClusterView.parse(String.valueOf(server.command("CLUSTER", "NODES")));
  }
}
