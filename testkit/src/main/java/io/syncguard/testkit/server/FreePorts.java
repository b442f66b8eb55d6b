package io.syncguard.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out local ports, each once per JVM.
 *
 * <p>They lie below the ephemeral range, so that no outgoing connection takes the port of a server
 * that is down for a restart. A JVM claims a block by listening on its first port, so that test
 * JVMs running in parallel never share one.
 */
final class FreePorts {
  private static final int FIRST_PORT = 10_000;
  private static final int BLOCK_SIZE = 100;
  private static final int BLOCK_COUNT = 220;

  private static final List<ServerSocket> claims = new ArrayList<>();
  private static int next;
  private static int end;

  private FreePorts() {}

  static synchronized int next() {
    while (true) {
      if (next == end) {
        claimBlock();
      }
      int port = next++;
      if (isFree(port)) {
        return port;
      }
    }
  }

  private static void claimBlock() {
    int start = ThreadLocalRandom.current().nextInt(BLOCK_COUNT);
    for (int i = 0; i < BLOCK_COUNT; i++) {
      int firstPort = FIRST_PORT + (start + i) % BLOCK_COUNT * BLOCK_SIZE;
      try {
        claims.add(listen(firstPort));
        next = firstPort + 1;
        end = firstPort + BLOCK_SIZE;
        return;
      } catch (IOException taken) {
        // Another JVM has it; the next block may be free.
      }
    }
    throw new IllegalStateException("No free block of ports from " + FIRST_PORT + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = listen(port)) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
