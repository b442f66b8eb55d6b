package io.syncguard.redis.check;

import io.lettuce.core.TrackingArgs;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.Tracking;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.spi.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Whether a Redis server, or each master of a cluster, is fit to keep locks. */
public final class RedisFindings {

  private final Connections connections;
  private final Duration timeout;
  private final boolean fencesSurviveDataLoss;
  private final QueueRights rights;

  /** Asks nothing yet. */
  public RedisFindings(
      Connections connections, Duration timeout, String keyPrefix, boolean fencesSurviveDataLoss) {
    this.connections = connections;
    this.timeout = timeout;
    this.rights = new QueueRights(connections, timeout, keyPrefix);
    this.fencesSurviveDataLoss = fencesSurviveDataLoss;
  }

  /** Blocks while the servers are asked; what not all masters share is told with addresses. */
  public List<Finding> examine() {
    Map<String, CompletableFuture<String>> infos = connections.infos();
    Map<Finding, List<String>> mastersByFinding = new LinkedHashMap<>();
    infos.forEach(
        (master, info) ->
            findings(info)
                .forEach(
                    finding ->
                        mastersByFinding
                            .computeIfAbsent(finding, f -> new ArrayList<>())
                            .add(master)));
    List<Finding> findings = new ArrayList<>();
    mastersByFinding.forEach(
        (finding, masters) ->
            findings.add(masters.size() == infos.size() ? finding : on(masters, finding)));
    findings.add(orUnknown(rights::queue));
    findings.add(orUnknown(rights::messages));
    findings.add(tracking());
    return findings.stream().distinct().toList();
  }

  private static Finding on(List<String> masters, Finding finding) {
    String detail = finding.detail() + " (" + String.join(", ", masters) + ")";
    return new Finding(finding.subject(), finding.level(), detail, finding.advice());
  }

  private List<Finding> findings(CompletableFuture<String> info) {
    try {
      Map<String, String> server = ServerCheck.parse(ServerCheck.within(timeout, info));
      return List.of(version(server), eviction(server), persistence(server), replication(server));
    } catch (RuntimeException e) {
      return List.of(unknown(RedisFailures.of(e, Subject.NONE)));
    }
  }

  private static Finding orUnknown(Supplier<Finding> look) {
    try {
      return look.get();
    } catch (RuntimeException e) {
      return unknown(RedisFailures.of(e, Subject.NONE));
    }
  }

  private static Finding unknown(SyncGuardException failure) {
    return failure.code() == Code.AUTH_FAILED
        ? Finding.warning(
            "rights",
            "this user may not ask for INFO, so eviction, persistence and replication are unknown",
            "Allow this user +info")
        : Finding.failure(
            "connection",
            String.valueOf(failure.getMessage()),
            "See to this server and the network");
  }

  private static Finding version(Map<String, String> server) {
    String version = server.getOrDefault("redis_version", "unknown");
    String detail = "Redis " + version + ", " + server.getOrDefault("redis_mode", "mode unknown");
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

  private Finding persistence(Map<String, String> server) {
    if ("1".equals(server.get("aof_enabled"))) {
      return "ok".equals(server.getOrDefault("aof_last_write_status", "ok"))
          ? Finding.ok("persistence", "the append-only file is on")
          : Finding.failure(
              "persistence", "the append-only file cannot be written", "See to Redis's disk");
    }
    return fencesSurviveDataLoss
        ? Finding.warning(
            "persistence",
            "the append-only file is off: a restart loses locks, but fences go on increasing",
            "CONFIG SET appendonly yes, and in redis.conf")
        : Finding.warning(
            "persistence",
            "the append-only file is off: a restart loses locks, and fences begin again at 1",
            "CONFIG SET appendonly yes, and in redis.conf; or ?fences=survive-data-loss in the URI");
  }

  /** Redis counts its good replicas only where it is configured to need some. */
  private static Finding replication(Map<String, String> server) {
    if (!"master".equals(server.get("role"))) {
      return Finding.failure(
          "replication", "this server is a replica, and locks are writes", "Connect to the master");
    }
    String replicas = server.getOrDefault("connected_slaves", "0");
    if (replicas.equals("0")) {
      return Finding.ok("replication", "master without replicas");
    }
    return server.containsKey("min_slaves_good_slaves")
        ? Finding.ok("replication", "master with replicas, without which it takes no writes")
        : Finding.warning(
            "replication",
            "master with replicas: a failover may forget the last locks, and a master that is cut"
                + " off goes on granting them",
            "CONFIG SET min-replicas-to-write 1, and in redis.conf; have resources check fences");
  }

  /** Switching off what is not on shows whether it could be switched on, and changes nothing. */
  private Finding tracking() {
    try {
      ServerCheck.within(
          timeout,
          Tracking.send(connections.commands(), TrackingArgs.Builder.enabled(false))
              .toCompletableFuture());
      return Finding.ok(
          "waiting", "client tracking is available: waiters hear of releases by any client");
    } catch (RuntimeException e) {
      return RedisFailures.isAnswer(e)
          ? Finding.warning(
              "waiting",
              "client tracking is refused, so waiters hear late of releases by other libraries",
              "Allow this user +client|tracking, and the client RESP3")
          : unknown(RedisFailures.of(e, Subject.NONE));
    }
  }
}
