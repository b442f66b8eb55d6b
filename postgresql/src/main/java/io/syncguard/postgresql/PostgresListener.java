package io.syncguard.postgresql;

import io.syncguard.SyncGuardException;
import io.syncguard.jdbc.backend.WaitersToTell;
import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.lock.Fence;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells waiters what PostgreSQL notifies this process of. One thread with one connection, from the
 * first wait on.
 */
final class PostgresListener implements Waiting {

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** How often a silent connection is asked whether it is still there. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Its waiter's id, its fence, and when it expires. */
  private static final int WORDS_OF_A_LOCK = 3;

  private final DataSource source;
  private final String channel = "syncguard_" + UUID.randomUUID().toString().replace("-", "");
  private final WaitersToTell waiters = new WaitersToTell();
  private final Thread thread = new Thread(this::keepListening, "syncguard-postgres-listener");
  private volatile @Nullable Connection connection;
  private volatile boolean listening;
  private volatile boolean useless;
  private volatile boolean closed;
  private boolean started;

  PostgresListener(DataSource source) {
    this.source = source;
    thread.setDaemon(true);
  }

  @Override
  public Optional<Watch> watch(String id, WaiterHints<Granted> hints) {
    if (useless || closed) {
      return Optional.empty();
    }
    return Optional.of(waiters.add(id, hints, () -> listening));
  }

  @Override
  public void granted(String lockId, Granted grant) {
    waiters.granted(lockId, grant);
  }

  @Override
  public String channel() {
    return listening ? channel : NO_CHANNEL;
  }

  @Override
  public synchronized void listen() {
    if (!started && !closed) {
      thread.start();
      started = true;
    }
  }

  private void keepListening() {
    Duration pause = SHORTEST_PAUSE;
    while (!closed && !useless) {
      try (Connection opened = source.getConnection()) {
        connection = opened;
        String obstacle = obstacle(opened);
        if (obstacle == null) {
          try {
            subscribe(opened);
            pause = SHORTEST_PAUSE;
            passOnNotifications(opened);
          } finally {
            // Into a pool it must not go back: it listens.
            opened.abort(Runnable::run);
          }
        } else {
          useless = true;
          log.info("Waiters poll, because {}", obstacle);
        }
      } catch (SQLException | RuntimeException e) {
        if (!closed) {
          log.debug("The connection that listens to PostgreSQL failed; trying again", e);
        }
      } finally {
        listening = false;
        connection = null;
        waiters.lookAll();
      }
      if (!closed && !useless) {
        LockSupport.parkNanos(pause.toNanos());
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
      }
    }
  }

  /** Blocks while it looks why waiters have to poll; null if they do not. */
  @Nullable String obstacle() {
    try (Connection opened = source.getConnection()) {
      return obstacle(opened);
    } catch (SQLException | RuntimeException e) {
      return "there is no connection to listen with";
    }
  }

  /** Returns why notifications would not come through this connection, or null if they do. */
  private static @Nullable String obstacle(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return "PostgreSQL's notifications are known only to its own driver";
    }
    if (!connection.getAutoCommit()) {
      return "the connection that is to listen is not in autocommit";
    }
    int announced = connection.unwrap(PGConnection.class).getBackendPID();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      // A proxy makes up the number of the server's process that it gives to its clients.
      return row.next() && row.getInt(1) == announced
          ? null
          : "a proxy is in between, through which notifications may not come";
    }
  }

  private void subscribe(Connection opened) throws SQLException {
    opened.setNetworkTimeout(Runnable::run, (int) PATIENCE.multipliedBy(2).toMillis());
    try (Statement statement = opened.createStatement()) {
      statement.execute("LISTEN " + channel);
    }
    listening = true;
    waiters.lookAll();
  }

  private void passOnNotifications(Connection opened) throws SQLException {
    PGConnection driver = opened.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] notifications = driver.getNotifications((int) PATIENCE.toMillis());
      if (notifications == null || notifications.length == 0) {
        if (!opened.isValid((int) PATIENCE.toSeconds())) {
          return;
        }
        continue;
      }
      for (PGNotification notification : notifications) {
        tell(notification.getParameter());
      }
    }
  }

  /**
   * Tells a waiter of what was granted to it: a lock with its fence and its expiry, or a permit,
   * which is to be asked for.
   */
  private void tell(String payload) {
    String[] parts = payload.split(" ", -1);
    if (parts.length != WORDS_OF_A_LOCK) {
      waiters.look(parts[0]);
      return;
    }
    try {
      waiters.granted(
          parts[0],
          new Granted(Fence.parse(parts[1]), Instant.ofEpochMilli(Long.parseLong(parts[2]))));
    } catch (SyncGuardException | NumberFormatException e) {
      waiters.look(parts[0]);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException | RuntimeException e) {
        log.debug("The connection that listens could not be ended", e);
      }
    }
  }
}
