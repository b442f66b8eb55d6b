package io.syncguard.testkit.server;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The servers not closed yet; closed when the JVM ends, so that a crashed test leaves none behind.
 */
final class LiveServers {
  private static final Set<AutoCloseable> servers = ConcurrentHashMap.newKeySet();
  private static final Queue<AutoCloseable> programs = new ConcurrentLinkedQueue<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LiveServers::closeAll, "close-servers"));
  }

  private LiveServers() {}

  static void add(AutoCloseable server) {
    servers.add(server);
  }

  static void remove(AutoCloseable server) {
    servers.remove(server);
  }

  /** Remembers what to remove after the last server is down. */
  static void removeAfterAll(DataDirectory program) {
    programs.add(program::delete);
  }

  private static void closeAll() {
    servers.forEach(LiveServers::closeRegardless);
    programs.forEach(LiveServers::closeRegardless);
  }

  private static void closeRegardless(AutoCloseable server) {
    try {
      server.close();
    } catch (Exception e) {
      System.err.println("Cannot close " + server + ": " + e);
    }
  }
}
