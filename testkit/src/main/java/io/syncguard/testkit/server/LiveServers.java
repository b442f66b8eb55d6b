package io.syncguard.testkit.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers not closed yet; closed when the JVM ends, so that a crashed test leaves none behind.
 */
final class LiveServers {
  private static final Set<RedisServer> servers = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LiveServers::closeAll, "close-redis-servers"));
  }

  private LiveServers() {}

  static void add(RedisServer server) {
    servers.add(server);
  }

  static void remove(RedisServer server) {
    servers.remove(server);
  }

  private static void closeAll() {
    servers.forEach(LiveServers::closeRegardless);
  }

  private static void closeRegardless(RedisServer server) {
    try {
      server.close();
    } catch (RuntimeException e) {
      System.err.println("Cannot close " + server.uri() + ": " + e);
    }
  }
}
