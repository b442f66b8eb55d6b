package io.syncguard.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** Whether a Redis server, or each master of a cluster, is fit to keep locks. */
final class RedisFindings {

  private RedisFindings() {}

  static List<Finding> of(Connections connections) {
    List<Finding> findings = new ArrayList<>();
    for (String info : connections.infos()) {
      Map<String, String> server = ServerCheck.parse(info);
      findings.add(version(server));
      findings.add(eviction(server));
      findings.add(persistence(server));
      findings.add(replication(server));
    }
    findings.add(tracking(connections));
    return findings;
  }

  private static Finding version(Map<String, String> server) {
    String version = server.getOrDefault("redis_version", "unknown");
    String detail =
        "Redis " + version + ", " + server.getOrDefault("redis_mode", "mode unknown");
    return ServerCheck.isSupported(version)
        ? Finding.ok("version", detail)
        : Finding.failure("version", detail, "Use 6.2 or newer");
  }

  private static Finding eviction(Map<String, String> server) {
    String policy = server.getOrDefault("maxmemory_policy", "unknown");
    return policy.equals("noeviction")
        ? Finding.ok("eviction", "maxmemory-policy is noeviction")
        : Finding.failure(
            "eviction",
            "maxmemory-policy is " + policy + ": live locks and fence counters may be evicted",
            "CONFIG SET maxmemory-policy noeviction");
  }

  private static Finding persistence(Map<String, String> server) {
    if ("1".equals(server.get("aof_enabled"))) {
      return "ok".equals(server.getOrDefault("aof_last_write_status", "ok"))
          ? Finding.ok("persistence", "the append-only file is on")
          : Finding.failure(
              "persistence", "the append-only file cannot be written", "See to Redis's disk");
    }
    return Finding.warning(
        "persistence",
        "the append-only file is off: a restart loses locks, and fences begin again at 1",
        "CONFIG SET appendonly yes, or add ?fences=survive-data-loss to the URI");
  }

  private static Finding replication(Map<String, String> server) {
    String role = server.getOrDefault("role", "unknown");
    if (!role.equals("master")) {
      return Finding.failure(
          "replication", "this server is a " + role, "Connect to the master: locks are writes");
    }
    String replicas = server.getOrDefault("connected_slaves", "0");
    return replicas.equals("0")
        ? Finding.ok("replication", "master without replicas")
        : Finding.warning(
            "replication",
            "master with " + replicas + " replicas: a failover may forget the last locks",
            "Have resources check fences; set min-replicas-to-write to bound the loss");
  }

  /** Switching off what is not on shows whether it could be switched on, and changes nothing. */
  private static Finding tracking(Connections connections) {
    try {
      connections
          .commands()
          .dispatch(
              CommandType.CLIENT,
              new StatusOutput<>(StringCodec.UTF8),
              new CommandArgs<>(StringCodec.UTF8).add("TRACKING").add("OFF"))
          .toCompletableFuture()
          .join();
      return Finding.ok("tracking", "Redis tells waiters of changes");
    } catch (CompletionException e) {
      return Finding.warning(
          "tracking",
          "Redis refuses CLIENT TRACKING, so waiters ask again from time to time",
          "Allow this user +client|tracking");
    }
  }
}
