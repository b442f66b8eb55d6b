package io.syncguard.redis.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that accepts connections and never says a word. */
final class SilentServer implements AutoCloseable {

  private final List<Socket> accepted = new CopyOnWriteArrayList<>();
  private final ServerSocket socket;

  SilentServer() {
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread acceptor = new Thread(this::accept, "silent-server");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  private void accept() {
    try {
      while (true) {
        accepted.add(socket.accept());
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  int port() {
    return socket.getLocalPort();
  }

  int accepted() {
    return accepted.size();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket each : accepted) {
      each.close();
    }
  }
}
