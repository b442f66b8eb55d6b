package io.syncguard.testkit.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server on a local port, with its own temporary data directory. It writes as
 * durably as one in production: {@code fsync} and {@code synchronous_commit} are on.
 *
 * <p>Thread-safe. Closed when the JVM ends, if a test did not.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** What PostgreSQL ends by without waiting for its clients. */
  private static final String FAST_SHUTDOWN = "INT";

  /** As fast, and the data directory, which would need recovery, is about to be deleted. */
  private static final String IMMEDIATE_SHUTDOWN = "QUIT";

  private final PostgresAddress address;
  private final DataDirectory directory;
  private final List<String> launchCommand;
  private final AtomicInteger databases = new AtomicInteger();
  private volatile @Nullable ServerProcess process;

  PostgresServer(PostgresAddress address, DataDirectory directory, List<String> launchCommand) {
    this.address = address;
    this.directory = directory;
    this.launchCommand = launchCommand;
  }

  /** Blocks until a new server of the first version on the class path accepts connections. */
  public static PostgresServer start() {
    return builder().start();
  }

  /** Returns at once a builder for a server of a certain version or with settings. */
  public static PostgresServerBuilder builder() {
    return new PostgresServerBuilder();
  }

  /** Returns at once the port on 127.0.0.1; it stays the same over a restart. */
  public int port() {
    return address.port();
  }

  /** Returns at once the database that every server has, with the superuser's name and password. */
  public PostgresAddress address() {
    return address;
  }

  /** Blocks until there is a new, empty database; closing it drops it. */
  public PostgresDatabase createDatabase() {
    return PostgresDatabase.createOn(address, "test_" + databases.incrementAndGet());
  }

  /** Blocks until the superuser is connected; the caller closes the connection. */
  public Connection connect() throws SQLException {
    return address.connect();
  }

  /** Blocks until the server has shut down in order, cutting its clients off (SIGINT). */
  public synchronized void stop() {
    terminate(FAST_SHUTDOWN);
  }

  /** Blocks until all of its processes are dead (SIGKILL). Does nothing if it is down. */
  public synchronized void kill() {
    ServerProcess running = process;
    if (running != null) {
      running.kill();
    }
  }

  /** Blocks until none of its processes runs, with their connections left open (SIGSTOP). */
  public synchronized void pause() {
    running().pause();
  }

  /** Returns at once and lets a paused server go on (SIGCONT). */
  public synchronized void resume() {
    running().resume();
  }

  /**
   * Blocks until the server, stopped first if need be, accepts connections again: same port, same
   * data directory, recovered first if it was killed.
   */
  public synchronized void restart() {
    stop();
    launch();
  }

  /** Blocks until the server is dead and its data directory is gone. */
  @Override
  public synchronized void close() {
    terminate(IMMEDIATE_SHUTDOWN);
    directory.delete();
    LiveServers.remove(this);
  }

  @Override
  public String toString() {
    return "PostgreSQL on 127.0.0.1:" + port();
  }

  synchronized void launch() {
    LiveServers.add(this);
    process = ServerProcess.launch(launchCommand, directory.log().toFile());
    try {
      Await.until("an answer from 127.0.0.1:" + port(), START_LIMIT, this::answers);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "PostgreSQL does not start; its log ends:\n" + directory.logTail(), e);
    }
  }

  private boolean answers() {
    running();
    try (Connection connection = connect()) {
      return connection.isValid(0);
    } catch (SQLException notYet) {
      return false;
    }
  }

  private void terminate(String signal) {
    ServerProcess running = process;
    if (running != null) {
      running.terminate(signal);
    }
  }

  private ServerProcess running() {
    ServerProcess current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException(this + " is not running");
    }
    return current;
  }
}
