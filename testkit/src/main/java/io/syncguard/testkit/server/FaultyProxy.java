package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on a local port that forwards to one server and fails on demand, until it is healed.
 *
 * <p>Thread-safe; runs on daemon threads.
 */
public final class FaultyProxy implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final int BACKLOG = 50;

  private final int port = FreePorts.next();
  private final ReplyFaults faults = new ReplyFaults();
  private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile InetSocketAddress target;
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;

  private FaultyProxy(InetSocketAddress target) {
    this.target = target;
  }

  /** Returns at once a proxy that forwards faithfully; the server need not be up yet. */
  public static FaultyProxy forwardingTo(String host, int port) {
    FaultyProxy proxy = new FaultyProxy(new InetSocketAddress(host, port));
    proxy.acceptConnections();
    return proxy;
  }

  /** Returns at once the port on 127.0.0.1; it stays the same while connections are refused. */
  public int port() {
    return port;
  }

  /**
   * Returns at once; from now on new connections lead to this server, as when a name is moved to
   * another one. Those of now stay where they are.
   */
  public void leadTo(String host, int port) {
    target = new InetSocketAddress(host, port);
  }

  /**
   * Returns at once; from now on the server gets requests and its replies are held back until
   * healed.
   */
  public void freezeReplies() {
    faults.freeze();
  }

  /** Returns at once; from now on replies are handed on this long after they have come. */
  public void delayReplies(Duration delay) {
    faults.delay(delay);
  }

  /**
   * Returns at once; the next replies, on whichever connection, are lost: the server has executed
   * the request, and the client's connection closes instead. Replies that a connection still awaits
   * are lost with it.
   */
  public void dropReplies(int count) {
    faults.drop(count);
  }

  /**
   * Returns at once; as {@link #dropReplies} for the one next request whose bytes contain this
   * text.
   */
  public void dropReplyTo(String requestText) {
    faults.dropReplyTo(requestText);
  }

  /** Returns at once how often a reply was dropped so far; counted before the client notices. */
  public int droppedReplies() {
    return faults.dropped();
  }

  /** Blocks until all connections of now are closed on both sides; new ones are accepted. */
  public void cutConnections() {
    connections.forEach(ProxyConnection::close);
  }

  /** Blocks until new connections are refused; those of now live on. */
  public synchronized void refuseConnections() {
    ServerSocket open = listener;
    Thread accepting = acceptor;
    if (open == null || accepting == null) {
      return;
    }
    listener = null;
    acceptor = null;
    try {
      open.close();
      accepting.join();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close port " + port, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while closing port " + port, e);
    }
  }

  /**
   * Returns at once with all faults gone; replies held back are handed on, cut connections stay
   * cut.
   */
  public synchronized void heal() {
    faults.heal();
    acceptConnections();
  }

  /** Blocks until the port and all connections are closed. */
  @Override
  public void close() {
    refuseConnections();
    cutConnections();
  }

  private synchronized void acceptConnections() {
    if (listener != null) {
      return;
    }
    try {
      ServerSocket open = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
      listener = open;
      acceptor = DaemonThreads.start("faulty-proxy-accept-" + port, () -> acceptFrom(open));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot listen on port " + port, e);
    }
  }

  private void acceptFrom(ServerSocket open) {
    while (!open.isClosed()) {
      try {
        connect(open.accept());
      } catch (IOException e) {
        // Either the port was closed, which ends the loop, or this one client has gone.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket();
    try {
      server.connect(target, CONNECT_TIMEOUT_MILLIS);
      ProxyConnection connection = new ProxyConnection(client, server, faults, connections::remove);
      connections.add(connection);
      connection.start();
    } catch (IOException e) {
      server.close();
      client.close();
    }
  }
}
