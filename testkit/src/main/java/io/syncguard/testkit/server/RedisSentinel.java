package io.syncguard.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real master with replicas, watched by three sentinels of which two must agree.
 *
 * <p>Thread-safe, but one thread at a time may change the topology.
 */
public final class RedisSentinel implements AutoCloseable {
  private static final String MASTER_NAME = "syncguard";
  private static final int SENTINEL_COUNT = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<RedisServer> dataServers = new ArrayList<>();
  private final List<SentinelNode> sentinels = new ArrayList<>();

  private RedisSentinel() {}

  /** Blocks until a new setup with one replica is able to fail over. */
  public static RedisSentinel start() {
    return start(1);
  }

  /** Blocks until a new setup with this many replicas is able to fail over. */
  public static RedisSentinel start(int replicas) {
    RedisSentinel setup = new RedisSentinel();
    try {
      setup.startDataServers(replicas);
      setup.startSentinels();
      return setup;
    } catch (RuntimeException e) {
      setup.close();
      throw e;
    }
  }

  /** Returns at once the name under which the sentinels know the master. */
  public String masterName() {
    return MASTER_NAME;
  }

  /** Returns at once the sentinels' addresses as {@code 127.0.0.1:port}. */
  public List<String> sentinelAddresses() {
    return sentinels.stream().map(sentinel -> "127.0.0.1:" + sentinel.server().port()).toList();
  }

  /**
   * Blocks until all sentinels name the same live master, so also for the promotion after a kill.
   */
  public RedisServer master() {
    return Await.untilPresent(
        "all sentinels to name one live master",
        LIMIT,
        () -> dataServersUp().filter(this::isAgreedMaster).findFirst());
  }

  /** Blocks until there is an agreed master and returns the other data servers, up or down. */
  public List<RedisServer> replicas() {
    RedisServer master = master();
    return dataServers.stream().filter(server -> !server.equals(master)).toList();
  }

  /**
   * Promotes a replica in order, losing nothing, and blocks until the rest follow it; returns the
   * new master.
   */
  public RedisServer failover() {
    RedisServer old = master();
    dataServersUp().filter(server -> !server.equals(old)).forEach(old::awaitReplicatedTo);
    RedisServer sentinel = sentinels.get(0).server();
    Await.until(
        "a sentinel to take the order",
        LIMIT,
        () -> "OK".equals(sentinel.command("SENTINEL", "FAILOVER", MASTER_NAME)));
    return awaitSuccessorOf(old);
  }

  /** Kills the master and blocks until a replica has taken over; returns the new master. */
  public RedisServer killMaster() {
    RedisServer old = master();
    old.kill();
    return awaitSuccessorOf(old);
  }

  /** Pauses the master and blocks until a replica has taken over; returns the paused one. */
  public RedisServer pauseMaster() {
    RedisServer old = master();
    old.pause();
    awaitSuccessorOf(old);
    return old;
  }

  /** Blocks until all servers and sentinels are dead and their directories are gone. */
  @Override
  public void close() {
    sentinels.forEach(sentinel -> sentinel.server().close());
    dataServers.forEach(RedisServer::close);
  }

  private void startDataServers(int replicas) {
    RedisServer master = RedisServer.builder().config("# rewritten on failover").start();
    dataServers.add(master);
    for (int i = 0; i < replicas; i++) {
      String replicaOf = "replicaof 127.0.0.1 " + master.port();
      dataServers.add(RedisServer.builder().config(replicaOf).start());
    }
    Await.until("replicas to be linked", LIMIT, () -> areLinkedTo(master));
  }

  private void startSentinels() {
    RedisServer master = dataServers.get(0);
    for (int i = 0; i < SENTINEL_COUNT; i++) {
      sentinels.add(SentinelNode.start(MASTER_NAME, master));
    }
    Await.until("sentinels to know the whole setup", LIMIT, this::isAbleToFailOver);
  }

  private RedisServer awaitSuccessorOf(RedisServer old) {
    Await.until("a new master", LIMIT, () -> !master().equals(old) && areLinkedTo(master()));
    Await.until("sentinels to know the new setup", LIMIT, this::isAbleToFailOver);
    return master();
  }

  private boolean isAbleToFailOver() {
    long replicas = dataServersUp().count() - 1;
    return sentinels.stream().allMatch(sentinel -> sentinel.isReady(replicas, SENTINEL_COUNT - 1));
  }

  private boolean isAgreedMaster(RedisServer server) {
    return server.field("role", "INFO", "replication").equals("master")
        && sentinels.stream().allMatch(sentinel -> sentinel.masterPort() == server.port());
  }

  private boolean areLinkedTo(RedisServer master) {
    String port = Integer.toString(master.port());
    return dataServersUp()
        .filter(server -> !server.equals(master))
        .allMatch(
            server ->
                server.field("master_port", "INFO", "replication").equals(port)
                    && server.field("master_link_status", "INFO", "replication").equals("up"));
  }

  private Stream<RedisServer> dataServersUp() {
    return dataServers.stream().filter(RedisServer::isUp);
  }
}
