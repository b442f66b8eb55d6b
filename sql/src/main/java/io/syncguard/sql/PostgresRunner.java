package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
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
import org.postgresql.PGStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out scripts of one statement on PostgreSQL: one round trip each, in autocommit, on a
 * connection of its own.
 */
final class PostgresRunner implements ScriptRunner {

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

  private final DataSource connections;
  private final Duration timeout;
  private final Runnable afterwards;
  private final Watchdog watchdog = new Watchdog();
  private volatile boolean prepares = true;

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

  /**
   * From now on leaves nothing prepared on the server. Behind a proxy that pools transactions, a
   * statement may meet a connection where nothing, or another client's statement, has its name.
   */
  void prepareNothing() {
    prepares = false;
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
        "SyncGuard must not be part of a transaction: the DataSource has to give connections in"
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
    Script.Statement statement = script.statements().get(0);
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql());
        Watchdog.Watched watched = watchdog.watch(connection, prepared, allowed(call));
        CancelSignal.Registration cancelling = call.signal().onCancel(watched::cancel)) {
      Bindings.bind(prepared, statement.parameters(), parameters);
      if (!prepares && prepared.isWrapperFor(PGStatement.class)) {
        prepared.unwrap(PGStatement.class).setPrepareThreshold(0);
      }
      try {
        prepared.execute();
      } catch (SQLException e) {
        throw watched.isCut() ? tooLate(call, e) : PostgresFailures.whileRunning(e, call);
      }
      if (watched.isLate()) {
        // It may have stopped waiting for its replicas, and have committed without them.
        throw tooLate(call, null);
      }
      T result = readOnlyRow(prepared, reader);
      call.throwIfCancelledMeanwhile();
      return result;
    }
  }

  private static SyncGuardException tooLate(Call call, @Nullable SQLException failure) {
    return call.unknown(Code.NETWORK_TIMEOUT, "PostgreSQL did not answer in time", failure);
  }

  private static <T> @Nullable T readOnlyRow(Statement statement, RowReader<T> reader)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      return rows != null && rows.next() ? reader.read(rows) : null;
    }
  }

  private Duration allowed(Call call) {
    Duration callers = call.timeout();
    return callers == null || callers.compareTo(timeout) > 0 ? timeout : callers;
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
    watchdog.close();
    afterwards.run();
  }
}
