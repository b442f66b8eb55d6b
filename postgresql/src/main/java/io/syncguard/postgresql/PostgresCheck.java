package io.syncguard.postgresql;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.postgresql.connection.PostgresFailures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Looks, before the first script is carried out, whether the database is set up for SyncGuard.
 * Otherwise a client could get a lock that it cannot release.
 */
final class PostgresCheck implements ScriptRunner {

  /**
   * What it has found.
   *
   * @param missing the tables and functions that are not there
   * @param isolation that of a transaction
   * @param readOnly whether it may not write
   * @param proxied whether there is a proxy in between
   */
  record Setup(List<String> missing, String isolation, boolean readOnly, boolean proxied) {

    boolean isComplete() {
      return missing.isEmpty();
    }

    /** Returns what is missing, in a few words. */
    String firstMissing() {
      int others = missing.size() - MOST_NAMED;
      return String.join(", ", missing.subList(0, Math.min(MOST_NAMED, missing.size())))
          + (others > 0 ? " and " + others + " more" : "");
    }

    boolean isReadCommitted() {
      return isolation.startsWith("read ");
    }
  }

  private static final int MOST_NAMED = 3;

  private final PostgresRunner runner;
  private final SqlScript check;
  private volatile boolean passed;

  PostgresCheck(PostgresRunner runner, SqlScript check) {
    this.runner = runner;
    this.check = check;
  }

  /** Returns what carries out scripts whatever the database is like. */
  ScriptRunner unchecked() {
    return runner;
  }

  @Override
  public <T> @Nullable T run(
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
    if (!passed) {
      passed = check(script.effect(), call);
    }
    return runner.run(script, parameters, call, reader);
  }

  /** Returns whether this need not look again; a replica may become a primary. */
  private boolean check(Effect effect, SqlCall call) {
    Setup setup = look(call);
    if (!setup.isComplete()) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "PostgreSQL does not have " + setup.firstMissing() + "; " + PostgresFailures.SET_UP,
          null);
    }
    if (setup.readOnly && effect != Effect.READ) {
      throw call.failure(Code.SERVICE_UNAVAILABLE, PostgresFailures.READ_ONLY, null);
    }
    if (!setup.isReadCommitted()) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "A transaction must be READ COMMITTED and not "
              + setup.isolation
              + ", or waiting for others would end in serialization failures; see"
              + " default_transaction_isolation and the pool's setting",
          null);
    }
    if (setup.proxied) {
      runner.prepareNothing();
    }
    return !setup.readOnly;
  }

  Setup look(SqlCall call) {
    return call.answered(
        runner.run(
            check,
            Map.of(),
            call,
            row ->
                new Setup(
                    names(row.getString("missing")),
                    row.getString("isolation"),
                    row.getBoolean("read_only"),
                    isThroughAProxy(row))));
  }

  private static List<String> names(String quoted) {
    return quoted.isEmpty() ? List.of() : List.of(quoted.replace("\"", "").split(",", -1));
  }

  /** A proxy makes up the number of the server's process that it gives to its clients. */
  private static boolean isThroughAProxy(ResultSet row) throws SQLException {
    Connection connection = row.getStatement().getConnection();
    return connection.isWrapperFor(PGConnection.class)
        && connection.unwrap(PGConnection.class).getBackendPID() != row.getInt("server_pid");
  }

  @Override
  public void close() {
    runner.close();
  }
}
