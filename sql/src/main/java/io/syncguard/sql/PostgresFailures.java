package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Turns what PostgreSQL and its driver fail with into our codes, by the SQLSTATE. */
final class PostgresFailures {

  static final String TABLES_ARE_MISSING =
      "our tables and functions are not all there; call setupSchema() once, or look at the"
          + " search_path and the tables' names";

  static final String READ_ONLY =
      "it is read-only, as a replica is; connect to the primary, for instance with"
          + " targetServerType=primary";

  private static final String QUERY_CANCELED = "57014";
  private static final String COMPLETION_UNKNOWN = "40003";
  private static final int STATE_LENGTH = 5;

  private PostgresFailures() {}

  /** For a failure before the database was asked for anything. */
  static SyncGuardException whileConnecting(Exception failure, Call call) {
    if (Thread.currentThread().isInterrupted()) {
      return call.failure(
          Code.ABORTED, "The thread was interrupted while it waited for a connection", failure);
    }
    String state = stateIn(failure);
    return call.failure(
        state == null ? Code.SERVICE_UNAVAILABLE : codeFor(state), explanation(state), failure);
  }

  /** For a failure of what the database was asked for. */
  static SyncGuardException whileRunning(SQLException failure, Call call) {
    String state = stateIn(failure);
    if (state == null) {
      return call.unknown(Code.INTERNAL, "PostgreSQL's driver failed unexpectedly", failure);
    }
    if (state.equals(QUERY_CANCELED)) {
      return call.signal().isCancelled()
          ? call.failure(Code.ABORTED, "The operation was cancelled by its CancelSignal", failure)
          : call.failure(
              Code.NETWORK_TIMEOUT,
              "PostgreSQL was at it for too long: somebody may have our tables locked",
              failure);
    }
    if (isTimeout(failure)) {
      return call.unknown(Code.NETWORK_TIMEOUT, "PostgreSQL did not answer in time", failure);
    }
    return leavesUsInDoubt(state)
        ? call.unknown(codeFor(state), explanation(state), failure)
        : call.failure(codeFor(state), explanation(state), failure);
  }

  /** Whatever else PostgreSQL answers with, it has undone what it was at. */
  private static boolean leavesUsInDoubt(String state) {
    return state.startsWith("08") || state.startsWith("57P") || state.equals(COMPLETION_UNKNOWN);
  }

  private static @Nullable String stateIn(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().length() == STATE_LENGTH) {
        return sql.getSQLState();
      }
    }
    return null;
  }

  private static boolean isTimeout(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }

  private static Code codeFor(String state) {
    return switch (state) {
      case "25006", "0A000" -> Code.SERVICE_UNAVAILABLE;
      case "42501" -> Code.AUTH_FAILED;
      case "42P01", "42883", "42703", "3D000", "3F000", "26000", "42P05" -> Code.INVALID_ARGUMENT;
      default ->
          switch (state.substring(0, 2)) {
            case "08", "53", "57", "40", "55", "58" -> Code.SERVICE_UNAVAILABLE;
            case "28" -> Code.AUTH_FAILED;
            case "22", "23" -> Code.INVALID_ARGUMENT;
            default -> Code.INTERNAL;
          };
    };
  }

  private static String explanation(@Nullable String state) {
    if (state == null) {
      return "There is no connection to PostgreSQL";
    }
    String answered = "PostgreSQL answered " + state + ": ";
    return switch (state) {
      // The latter is what a replica says of an unlogged table.
      case "25006", "0A000" -> answered + READ_ONLY;
      case "42501" ->
          answered
              + "the user needs SELECT, INSERT, UPDATE and DELETE on our tables and EXECUTE on our"
              + " functions; to set them up, CREATE in the schema, and to own what is there";
      case "42P01", "42883" -> answered + TABLES_ARE_MISSING;
      case "42703" -> answered + "our tables are not as setupSchema() makes them";
      case "26000", "42P05", "08P01" ->
          answered
              + "between us and it seems to be a proxy that pools transactions and does not know"
              + " prepared statements; add prepareThreshold=0 to the driver's parameters";
      case "3D000" -> answered + "there is no such database";
      case "53300" -> answered + "it has too many connections";
      case "40001" ->
          answered
              + "transactions must be READ COMMITTED; see default_transaction_isolation and the"
              + " pool's setting";
      default ->
          switch (state.substring(0, 2)) {
            case "08" -> answered + "the connection was lost or refused";
            case "28" -> answered + "it refused the credentials";
            case "53" -> answered + "it is short of disk, memory or connections";
            case "57" -> answered + "it is starting up or shutting down";
            default -> answered.substring(0, answered.length() - 2);
          };
    };
  }
}
