package io.syncguard.redis.check;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.syncguard.SyncGuardException;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.failure.RedisFailures;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Looks, when connecting, whether a server is fit to keep locks, and logs a warning if not. */
public final class ServerCheck {

  private static final Pattern SUPPORTED_VERSION = Pattern.compile("(6\\.[2-9]|[7-9]|\\d\\d).*");
  private static final Pattern LINE = Pattern.compile("\r?\n");

  private ServerCheck() {}

  /**
   * Blocks for INFO.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is part of a cluster
   */
  public static void standalone(StatefulRedisConnection<String, String> connection) {
    try {
      Map<String, String> info = parse(info(connection));
      if ("cluster".equals(info.get("redis_mode"))) {
        throw SyncGuardException.invalidArgument(
            "This Redis is part of a cluster; connect with redis-cluster://");
      }
      check(info);
    } catch (RedisCommandExecutionException e) {
      throwUnlessNotPermitted(e);
      warnOfNoInfo();
    }
  }

  /** Asks again if the connection did not take commands yet, or was lost and came back. */
  private static String info(StatefulRedisConnection<String, String> connection) {
    CompletableFuture<Boolean> ready = new CompletableFuture<>();
    RedisConnectionStateListener listener =
        new RedisConnectionStateListener() {
          @Override
          public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
            ready.complete(true);
          }
        };
    connection.addListener(listener);
    try {
      return connection.sync().info();
    } catch (RedisException e) {
      long patience = connection.getTimeout().toMillis();
      if (!RedisFailures.isDisconnected(e)
          || !ready.completeOnTimeout(false, patience, TimeUnit.MILLISECONDS).join()) {
        throw e;
      }
      return connection.sync().info();
    } finally {
      connection.removeListener(listener);
    }
  }

  /** Blocks for INFO of all masters; one that does not answer is left unchecked. */
  public static void cluster(StatefulRedisClusterConnection<String, String> connection) {
    boolean permitted = true;
    for (CompletableFuture<String> answer : connection.async().upstream().commands().info()) {
      try {
        check(parse(within(connection.getTimeout(), answer)));
      } catch (CompletionException e) {
        if (e.getCause() instanceof RedisCommandExecutionException refusal) {
          throwUnlessNotPermitted(refusal);
          permitted = false;
        } else {
          // A cluster serves its other keys while one of its masters is away, and so does the
          // store.
          Connections.LOG.warn(
              "A master of the Redis cluster does not answer, so its eviction policy is unchecked");
        }
      }
    }
    if (!permitted) {
      warnOfNoInfo();
    }
  }

  static <T> T within(Duration timeout, CompletableFuture<T> answer) {
    return answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  private static void throwUnlessNotPermitted(RedisCommandExecutionException refusal) {
    String word = RedisFailures.firstWord(String.valueOf(refusal.getMessage()));
    if (!word.equals("NOPERM")) {
      throw refusal;
    }
  }

  private static void warnOfNoInfo() {
    Connections.LOG.warn(
        "This user may not ask Redis for INFO, so its version and eviction policy are unchecked:"
            + " see to it that maxmemory-policy is noeviction");
  }

  private static void check(Map<String, String> info) {
    String policy = info.getOrDefault("maxmemory_policy", "noeviction");
    if (!policy.equals("noeviction")) {
      Connections.LOG.warn(
          "Redis may evict live locks and fence counters: its maxmemory-policy is {}. Two processes"
              + " can then hold the same lock. Set it to noeviction.",
          policy);
    }
    String version = info.getOrDefault("redis_version", "unknown");
    if (!isSupported(version)) {
      Connections.LOG.warn("Redis {} is not supported; it takes 6.2 or newer", version);
    }
  }

  static boolean isSupported(String version) {
    return SUPPORTED_VERSION.matcher(version).matches();
  }

  static Map<String, String> parse(String info) {
    return LINE.splitAsStream(info)
        .filter(line -> line.indexOf(':') > 0)
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')),
                line -> line.substring(line.indexOf(':') + 1),
                (first, second) -> first));
  }
}
