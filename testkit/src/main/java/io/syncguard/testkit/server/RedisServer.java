package io.syncguard.testkit.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server on a local port, with its own temporary data directory.
 *
 * <p>Thread-safe. Closed when the JVM ends, if a test did not.
 */
public final class RedisServer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final int port;
  private final int tlsPort;
  private final @Nullable String password;
  private final DataDirectory directory;
  private final List<String> launchCommand;
  private volatile @Nullable ServerProcess process;

  RedisServer(
      int port,
      int tlsPort,
      @Nullable String password,
      DataDirectory directory,
      List<String> launchCommand) {
    this.port = port;
    this.tlsPort = tlsPort;
    this.password = password;
    this.directory = directory;
    this.launchCommand = launchCommand;
  }

  /**
   * Blocks until a new server answers.
   *
   * @param args options of redis-server, such as {@code "--maxmemory", "2mb"}
   */
  public static RedisServer start(String... args) {
    return builder().args(args).start();
  }

  /** Returns at once a builder for a server with a password or with ACL users. */
  public static RedisServerBuilder builder() {
    return new RedisServerBuilder();
  }

  /** Returns at once the port on 127.0.0.1; it stays the same over a restart. */
  public int port() {
    return port;
  }

  /**
   * Returns at once the port on 127.0.0.1 that takes TLS only.
   *
   * @throws IllegalStateException if the server was started without
   */
  public int tlsPort() {
    if (tlsPort == 0) {
      throw new IllegalStateException("The server was started without TLS");
    }
    return tlsPort;
  }

  /** Returns at once the address with the password, if there is one, as {@code redis://} URI. */
  public String uri() {
    String userInfo =
        password == null ? "" : ":" + URLEncoder.encode(password, UTF_8).replace("+", "%20") + "@";
    return "redis://" + userInfo + "127.0.0.1:" + port;
  }

  /**
   * Sends one command over its own connection and blocks for the reply.
   *
   * @return a String, a Long, a List of these, or null
   * @throws RedisErrorException if the server answers with an error
   * @throws UncheckedIOException if it does not answer within five seconds
   */
  public @Nullable Object command(String... words) {
    try (RespConnection connection = RespConnection.open(port)) {
      if (password != null) {
        connection.call("AUTH", password);
      }
      return connection.call(words);
    } catch (IOException e) {
      throw new UncheckedIOException("No answer from 127.0.0.1:" + port + " to " + words[0], e);
    }
  }

  /**
   * Blocks until a replica, linked to this server or about to be, has all that is written by now.
   */
  public void awaitReplicatedTo(RedisServer replica) {
    long written = Long.parseLong(field("master_repl_offset", "INFO", "replication"));
    Await.until(
        "a replica to have caught up",
        LIMIT,
        () ->
            replica.field("master_link_status", "INFO", "replication").equals("up")
                && Long.parseLong(replica.field("slave_repl_offset", "INFO", "replication"))
                    >= written);
  }

  /** Blocks until the server has shut down in order (SIGTERM). Does nothing if it is down. */
  public synchronized void stop() {
    ServerProcess running = process;
    if (running != null) {
      running.terminate();
    }
  }

  /** Blocks until the server is dead (SIGKILL). Does nothing if it is down. */
  public synchronized void kill() {
    ServerProcess running = process;
    if (running != null) {
      running.kill();
    }
  }

  /** Blocks until the server no longer runs, with its connections left open (SIGSTOP). */
  public synchronized void pause() {
    running().pause();
  }

  /** Returns at once and lets a paused server go on (SIGCONT). */
  public synchronized void resume() {
    running().resume();
  }

  /**
   * Blocks until the server, stopped first if need be, answers again: same port, same data
   * directory.
   */
  public synchronized void restart() {
    stop();
    launch();
  }

  /** Blocks until the server is dead and its data directory is gone. */
  @Override
  public synchronized void close() {
    kill();
    directory.delete();
    LiveServers.remove(this);
  }

  @Override
  public String toString() {
    return "Redis on 127.0.0.1:" + port;
  }

  boolean isUp() {
    ServerProcess current = process;
    return current != null && current.isAlive() && !current.isPaused();
  }

  /** The value of a {@code name:value} line in the reply to a command such as INFO. */
  String field(String name, String... command) {
    String prefix = name + ":";
    return String.valueOf(command(command))
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .findFirst()
        .orElse("");
  }

  synchronized void launch() {
    LiveServers.add(this);
    process = ServerProcess.launch(launchCommand, directory.log().toFile());
    try {
      Await.until("an answer from 127.0.0.1:" + port, LIMIT, this::answers);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "Redis does not start; its log ends:\n" + directory.logTail(), e);
    }
  }

  private boolean answers() {
    running();
    try {
      command("PING");
      return true;
    } catch (RedisErrorException e) {
      return !e.code().equals("LOADING");
    }
  }

  private ServerProcess running() {
    ServerProcess current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException("Redis on port " + port + " is not running");
    }
    return current;
  }
}
