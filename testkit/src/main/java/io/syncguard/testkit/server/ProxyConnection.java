package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.function.Consumer;

/**
 * One client's connection through a {@link FaultyProxy}: two sockets and a thread for each
 * direction.
 */
final class ProxyConnection {
  private static final int BUFFER_SIZE = 64 * 1024;

  private final Socket client;
  private final Socket server;
  private final ReplyFaults faults;
  private final Consumer<ProxyConnection> onClose;
  private volatile boolean losesReply;
  private volatile boolean closed;

  ProxyConnection(
      Socket client, Socket server, ReplyFaults faults, Consumer<ProxyConnection> onClose) {
    this.client = client;
    this.server = server;
    this.faults = faults;
    this.onClose = onClose;
  }

  void start() throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    DaemonThreads.start("faulty-proxy-requests-" + client.getPort(), this::forwardRequests);
    DaemonThreads.start("faulty-proxy-replies-" + client.getPort(), this::forwardReplies);
  }

  void close() {
    closed = true;
    closeQuietly(client);
    closeQuietly(server);
    faults.wakeWaiting();
    onClose.accept(this);
  }

  private void forwardRequests() {
    byte[] buffer = new byte[BUFFER_SIZE];
    try {
      InputStream requests = client.getInputStream();
      OutputStream toServer = server.getOutputStream();
      for (int n = requests.read(buffer); n >= 0; n = requests.read(buffer)) {
        if (faults.takesRequest(buffer, n)) {
          losesReply = true;
        }
        toServer.write(buffer, 0, n);
      }
      server.shutdownOutput();
    } catch (IOException e) {
      if (!losesReply) {
        close();
      }
    }
  }

  private void forwardReplies() {
    byte[] buffer = new byte[BUFFER_SIZE];
    try {
      InputStream replies = server.getInputStream();
      OutputStream toClient = client.getOutputStream();
      for (int n = replies.read(buffer); n >= 0; n = replies.read(buffer)) {
        if (losesReply || faults.takesReply()) {
          loseReplies(replies);
          return;
        }
        faults.hold(System.nanoTime(), () -> closed);
        toClient.write(buffer, 0, n);
      }
    } catch (IOException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /**
   * The server closes its side only after it has executed every request it got; then the client may
   * know.
   */
  private void loseReplies(InputStream replies) throws IOException {
    losesReply = true;
    server.shutdownOutput();
    replies.transferTo(OutputStream.nullOutputStream());
    faults.countDropped();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      return;
    }
  }
}
