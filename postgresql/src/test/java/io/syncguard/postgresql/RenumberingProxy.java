package io.syncguard.postgresql;

import io.syncguard.testkit.server.PostgresAddress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Forwards to a PostgreSQL and makes up the number of the server's process, as a proxy that pools
 * transactions does. Its threads end with their connections.
 */
final class RenumberingProxy implements AutoCloseable {

  private static final int BACKEND_KEY_DATA = 'K';
  private static final int READY_FOR_QUERY = 'Z';

  private final PostgresAddress target;
  private final ServerSocket listener;

  RenumberingProxy(PostgresAddress target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  PostgresAddress address() {
    return target.withLocalPort(listener.getLocalPort());
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      Socket server = new Socket(target.host(), target.port());
      start(
          () -> {
            client.getInputStream().transferTo(server.getOutputStream());
            server.close();
          });
      start(
          () -> {
            greet(
                new DataInputStream(server.getInputStream()),
                new DataOutputStream(client.getOutputStream()));
            server.getInputStream().transferTo(client.getOutputStream());
            client.close();
          });
    }
  }

  /** Hands on what comes before the first query, byte by byte where it is not a message. */
  private static void greet(DataInputStream replies, DataOutputStream toClient) throws IOException {
    for (int type = replies.read(); type >= 0; type = replies.read()) {
      toClient.write(type);
      if (type == 'N') {
        // The answer to a question for encryption is this byte alone.
        continue;
      }
      int length = replies.readInt();
      byte[] body = replies.readNBytes(length - Integer.BYTES);
      if (type == BACKEND_KEY_DATA) {
        body[3] ^= 1;
      }
      toClient.writeInt(length);
      toClient.write(body);
      if (type == READY_FOR_QUERY) {
        return;
      }
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException closed) {
                // The other end has gone, or the test is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
