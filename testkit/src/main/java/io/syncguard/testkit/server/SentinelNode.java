package io.syncguard.testkit.server;

import java.util.List;

/**
 * One sentinel process, with its periods shortened so that a failover takes a moment and not half a
 * minute. The ping period stays: a sentinel asks replicas of a dead master once per second, and
 * finds none fit to promote when five ping periods are shorter than that.
 */
record SentinelNode(RedisServer server, String masterName) {
  private static final int QUORUM = 2;

  /** Longer than a busy machine may keep a healthy master from answering. */
  private static final int DOWN_AFTER_MS = 2500;

  static SentinelNode start(String masterName, RedisServer master) {
    RedisServer server =
        RedisServer.builder()
            .config(
                "sentinel monitor %s 127.0.0.1 %d %d".formatted(masterName, master.port(), QUORUM))
            .config("sentinel down-after-milliseconds " + masterName + " " + DOWN_AFTER_MS)
            .config("sentinel failover-timeout " + masterName + " 2000")
            .args("--sentinel")
            .start();
    server.command(
        "SENTINEL", "DEBUG",
        "INFO-PERIOD", "500",
        "PUBLISH-PERIOD", "200",
        "TILT-PERIOD", "1000");
    return new SentinelNode(server, masterName);
  }

  int masterPort() {
    List<?> hostAndPort = reply("GET-MASTER-ADDR-BY-NAME");
    return hostAndPort.size() == 2 ? Integer.parseInt(String.valueOf(hostAndPort.get(1))) : -1;
  }

  /** Whether this sentinel sees a healthy master, and replicas that it could promote. */
  boolean isReady(long replicas, int otherSentinels) {
    List<?> master = reply("MASTER");
    return attribute(master, "flags").equals("master")
        && attribute(master, "num-other-sentinels").equals(Integer.toString(otherSentinels))
        && reply("REPLICAS").stream().filter(SentinelNode::isPromotable).count() == replicas;
  }

  private static boolean isPromotable(Object replica) {
    return replica instanceof List<?> attributes
        && attribute(attributes, "flags").equals("slave")
        && attribute(attributes, "master-link-status").equals("ok");
  }

  /** A list of names and values in turn, or a list of such lists. */
  private List<?> reply(String subcommand) {
    Object reply = server.command("SENTINEL", subcommand, masterName);
    return reply instanceof List<?> list ? list : List.of();
  }

  private static String attribute(List<?> namesAndValues, String name) {
    int at = namesAndValues.indexOf(name);
    return at < 0 ? "" : String.valueOf(namesAndValues.get(at + 1));
  }
}
