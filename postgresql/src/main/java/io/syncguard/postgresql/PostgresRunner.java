package io.syncguard.postgresql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.Bindings;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.postgresql.connection.Connections;
import io.syncguard.postgresql.connection.PostgresFailures;
import io.syncguard.postgresql.connection.Watchdog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Carries out scripts of one statement on PostgreSQL: one round trip each, in autocommit, each on a
 * connection that no other call uses meanwhile.
 */
final class PostgresRunner implements ScriptRunner {

  private final Connections connections;
  private final Duration timeout;
  private final Watchdog watchdog;
  private volatile boolean prepares = true;

  PostgresRunner(Connections connections, Duration timeout) {
    this.connections = connections;
    this.timeout = timeout;
    this.watchdog = new Watchdog(timeout, connections::putBack);
  }

  @Override
  public <T> @Nullable T run(
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
    call.throwIfAborted();
    long deadline = call.deadline(timeout);
    Connections.Taken taken = connections.take(call, deadline);
    try (Watchdog.Watched watched = watchdog.watch(taken, call, deadline)) {
      throwIfInTransaction(taken.connection(), call);
      T result = run(taken.connection(), watched, script, parameters, call, reader);
      watched.worked();
      return result;
    } catch (SQLException e) {
      throw PostgresFailures.whileRunning(e, call);
    }
  }

  /**
   * From now on leaves nothing prepared on the server. Behind a proxy that pools transactions, a
   * statement may meet a connection where nothing, or another client's statement, has its name.
   */
  void prepareNothing() {
    prepares = false;
  }

  private static void throwIfInTransaction(Connection connection, SqlCall call) {
    boolean autoCommit;
    try {
      autoCommit = connection.getAutoCommit();
    } catch (SQLException | RuntimeException e) {
      throw PostgresFailures.whileConnecting(e, call);
    }
    if (!autoCommit) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "SyncGuard must not be part of a transaction: the DataSource has to give connections in"
              + " autocommit, and not those of a transaction that is under way",
          null);
    }
  }

  private <T> @Nullable T run(
      Connection connection,
      Watchdog.Watched watched,
      SqlScript script,
      Map<String, Object> parameters,
      SqlCall call,
      RowReader<T> reader)
      throws SQLException {
    SqlScript.Statement statement = script.statements().get(0);
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql());
        CancelSignal.Registration cancelling = call.signal().onCancel(watched::cancel)) {
      watched.runs(prepared);
      Bindings.bind(prepared, statement.parameters(), parameters);
      // A plan that is kept would outlive the size of the table that it was made for. The functions
      // see to that themselves.
      boolean keepsPlan = prepares && statement.callsFunction();
      if (!keepsPlan && prepared.isWrapperFor(PGStatement.class)) {
        prepared.unwrap(PGStatement.class).setPrepareThreshold(0);
      }
      try {
        prepared.execute();
      } catch (SQLException e) {
        throw watched.isCut() ? endedEarly(call, e) : PostgresFailures.whileRunning(e, call);
      }
      if (watched.isCancelled()) {
        // It may have stopped waiting for its replicas, and have committed without them.
        throw endedEarly(call, null);
      }
      T result = readOnlyRow(prepared, reader);
      call.throwIfCancelledMeanwhile();
      return result;
    }
  }

  private static SyncGuardException endedEarly(SqlCall call, @Nullable SQLException failure) {
    return call.isAborted()
        ? call.unknown(Code.ABORTED, "The operation was called off while it was under way", failure)
        : call.unknown(Code.NETWORK_TIMEOUT, "PostgreSQL did not answer in time", failure);
  }

  private static <T> @Nullable T readOnlyRow(Statement statement, RowReader<T> reader)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      return rows != null && rows.next() ? reader.read(rows) : null;
    }
  }

  @Override
  public void close() {
    watchdog.close();
    connections.close();
  }
}
