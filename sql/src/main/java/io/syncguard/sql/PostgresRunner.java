package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out scripts on PostgreSQL: one round trip each, in autocommit, which makes the statements
 * of one round trip one transaction, on a connection of its own.
 */
final class PostgresRunner implements ScriptRunner {

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

  /** PostgreSQL is to give up by itself first, because we then know that it has done nothing. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** The driver counts milliseconds in an int. */
  private static final long LONGEST_SECONDS = Integer.MAX_VALUE / 1000;

  private final DataSource connections;
  private final Duration timeout;
  private final Runnable afterwards;

  PostgresRunner(DataSource connections, Duration timeout, Runnable afterwards) {
    this.connections = connections;
    this.timeout = timeout;
    this.afterwards = afterwards;
  }

  @Override
  public <T> @Nullable T run(
      Effect effect,
      Script script,
      Map<String, Object> parameters,
      Call call,
      RowReader<T> reader) {
    call.throwIfAborted();
    Connection connection = connect(call);
    try {
      return run(connection, script, parameters, call, reader);
    } catch (SQLException e) {
      throw PostgresFailures.whileRunning(e, call);
    } finally {
      giveBack(connection);
    }
  }

  private Connection connect(Call call) {
    Connection connection = null;
    try {
      connection = connections.getConnection();
      if (connection.getAutoCommit()) {
        return connection;
      }
    } catch (SQLException | RuntimeException e) {
      giveBack(connection);
      throw PostgresFailures.whileConnecting(e, call);
    }
    giveBack(connection);
    throw call.failure(
        Code.INVALID_ARGUMENT,
        "A lock must not be part of a transaction: the DataSource has to give connections in"
            + " autocommit, and not those of a transaction that is under way",
        null);
  }

  private <T> @Nullable T run(
      Connection connection,
      Script script,
      Map<String, Object> parameters,
      Call call,
      RowReader<T> reader)
      throws SQLException {
    Script.Statement statement = script.joined();
    Duration allowed = allowed(call);
    int previous = limit(connection, allowed);
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql());
        CancelSignal.Registration cancelling = call.signal().onCancel(() -> cancel(prepared))) {
      Bindings.bind(prepared, statement.parameters(), parameters);
      prepared.setQueryTimeout((int) Math.min(LONGEST_SECONDS, Math.max(1, allowed.toSeconds())));
      prepared.execute();
      for (int i = 1; i < script.statements().size(); i++) {
        prepared.getMoreResults();
      }
      T result = readOnly(prepared, reader);
      call.throwIfCancelledMeanwhile();
      return result;
    } finally {
      restore(connection, previous);
    }
  }

  private static <T> @Nullable T readOnly(Statement statement, RowReader<T> reader)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      return rows != null && rows.next() ? reader.read(rows) : null;
    }
  }

  private Duration allowed(Call call) {
    Duration callers = call.timeout();
    return callers == null || callers.compareTo(timeout) > 0 ? timeout : callers;
  }

  /** Returns the limit that there was before. */
  private static int limit(Connection connection, Duration allowed) throws SQLException {
    int previous = connection.getNetworkTimeout();
    connection.setNetworkTimeout(
        Runnable::run, (int) Math.min(Integer.MAX_VALUE, allowed.plus(GRACE).toMillis()));
    return previous;
  }

  private static void restore(Connection connection, int previous) {
    try {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, previous);
      }
    } catch (SQLException e) {
      log.debug("The network timeout of a connection could not be restored", e);
    }
  }

  /** Returns at once: telling PostgreSQL takes a connection of its own. */
  private static void cancel(Statement statement) {
    Thread telling =
        new Thread(
            () -> {
              try {
                statement.cancel();
              } catch (SQLException e) {
                log.debug("PostgreSQL could not be told to cancel", e);
              }
            },
            "syncguard-postgres-cancel");
    telling.setDaemon(true);
    telling.start();
  }

  private static void giveBack(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        log.debug("A connection could not be given back", e);
      }
    }
  }

  @Override
  public void close() {
    afterwards.run();
  }
}
