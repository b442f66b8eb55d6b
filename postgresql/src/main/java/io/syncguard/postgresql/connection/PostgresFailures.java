package io.syncguard.postgresql.connection;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what PostgreSQL and its driver fail with into SyncGuard's codes, by the SQLSTATE. */
public final class PostgresFailures {

  public static final String SET_UP =
      "call setupSchema() or run 'syncguard setup' once, or look at the search_path and the tables' names";

  public static final String READ_ONLY =
      "it is read-only, as a replica is; connect to the primary, for instance with"
          + " targetServerType=primary";

  private static final String QUERY_CANCELED = "57014";
  private static final String COMPLETION_UNKNOWN = "40003";
  private static final String REJECTED = "08004";

  /** A limit of the program; the only one that an operation can meet is that of notifications. */
  private static final String NO_ROOM = "54000";

  private static final String NOT_SUPPORTED = "0A000";

  /** Where in PostgreSQL's source that is found out; its words depend on the language. */
  private static final String UNLOGGED_ON_A_REPLICA = "get_relation_info";

  private static final int STATE_LENGTH = 5;

  private PostgresFailures() {}

  /** For a failure before the database was asked for anything. */
  public static SyncGuardException whileConnecting(@Nullable Throwable failure, SqlCall call) {
    return whileConnecting(failure, call, "");
  }

  /**
   * For a failure before the database was asked for anything.
   *
   * @param servers hosts and ports, or nothing where they are not known
   */
  public static SyncGuardException whileConnecting(
      @Nullable Throwable failure, SqlCall call, String servers) {
    if (call.isAborted()) {
      return call.failure(
          Code.ABORTED, "The operation was called off while it waited for a connection", failure);
    }
    String server = servers.isEmpty() ? "PostgreSQL" : "PostgreSQL at " + servers;
    SyncGuardException ofTls = PostgresTlsFailures.of(failure, server, call);
    if (ofTls != null) {
      return ofTls;
    }
    String state = stateIn(failure);
    String said = saidIn(failure);
    if (state == null || (isAboutConnection(state) && said.isEmpty())) {
      return call.failure(
          Code.SERVICE_UNAVAILABLE,
          server + " cannot be reached; is it running, and are host and port right?",
          failure);
    }
    String explanation =
        isAboutConnection(state)
            ? server + " answered " + state + said
            : explanation(server, state, failure);
    return call.failure(codeFor(state, failure), explanation, failure);
  }

  private static boolean isAboutConnection(String state) {
    return state.startsWith("08") && !state.equals(REJECTED);
  }

  /** For a failure of what the database was asked for. */
  public static SyncGuardException whileRunning(SQLException failure, SqlCall call) {
    String state = stateIn(failure);
    if (state == null) {
      return call.unknown(Code.INTERNAL, "PostgreSQL's driver failed unexpectedly", failure);
    }
    if (state.equals(QUERY_CANCELED)) {
      return call.isAborted()
          ? call.failure(
              Code.ABORTED, "The operation was called off before PostgreSQL had done it", failure)
          : call.failure(
              Code.NETWORK_TIMEOUT,
              "PostgreSQL took too long: another client may have SyncGuard's tables locked",
              failure);
    }
    if (isTimeout(failure)) {
      return call.unknown(Code.NETWORK_TIMEOUT, "PostgreSQL did not answer in time", failure);
    }
    String explanation = explanation("PostgreSQL", state, failure);
    return leavesInDoubt(state)
        ? call.unknown(codeFor(state, failure), explanation, failure)
        : call.failure(codeFor(state, failure), explanation, failure);
  }

  /** Whatever else PostgreSQL answers with, it has undone what it was at. */
  private static boolean leavesInDoubt(String state) {
    return isAboutConnection(state) || state.startsWith("57P") || state.equals(COMPLETION_UNKNOWN);
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

  private static Code codeFor(String state, @Nullable Throwable failure) {
    return switch (state) {
      case NOT_SUPPORTED -> isReplicas(failure) ? Code.SERVICE_UNAVAILABLE : Code.INTERNAL;
      case "25006", NO_ROOM -> Code.SERVICE_UNAVAILABLE;
      case "42501", REJECTED -> Code.AUTH_FAILED;
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

  /** Not for all states: of a row that is refused, PostgreSQL may say what is in it. */
  private static String saidIn(@Nullable Throwable failure) {
    ServerErrorMessage said = messageIn(failure);
    return said == null ? "" : " (" + said.getMessage() + ")";
  }

  private static @Nullable ServerErrorMessage messageIn(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PSQLException sql && sql.getServerErrorMessage() != null) {
        return sql.getServerErrorMessage();
      }
    }
    return null;
  }

  /** Tells what a replica says of an unlogged table from all else that is not supported. */
  private static boolean isReplicas(@Nullable Throwable failure) {
    ServerErrorMessage said = messageIn(failure);
    return said != null && UNLOGGED_ON_A_REPLICA.equals(said.getRoutine());
  }

  private static String explanation(String server, String state, @Nullable Throwable failure) {
    String answered = server + " answered " + state + ": ";
    String refused = server + " answered " + state + saidIn(failure) + ": ";
    return switch (state) {
      case "25006" -> answered + READ_ONLY;
      case NOT_SUPPORTED ->
          isReplicas(failure)
              ? answered + READ_ONLY
              : refused + "it cannot do what SyncGuard asks for; is it PostgreSQL, 15 or newer?";
      case "42501" ->
          refused
              + "the user needs SELECT, INSERT, UPDATE and DELETE on SyncGuard's tables and EXECUTE"
              + " on its functions; to set them up, CREATE in the schema, and to own what is there";
      case "42P01", "42883" -> refused + SET_UP;
      case "42703" -> refused + "the tables are not as setupSchema() makes them";
      case REJECTED ->
          server
              + " rejected the connection ("
              + state
              + "): a password may be missing, or the server may not offer"
              + " the way to authenticate or to encrypt that was asked for";
      case "26000", "42P05", "08P01" ->
          answered
              + "a proxy in between seems to pool transactions and not to know prepared"
              + " statements; add prepareThreshold=0 to the driver's parameters";
      case "3D000" -> answered + "there is no such database";
      case "53300" -> answered + "it has too many connections";
      case NO_ROOM ->
          refused
              + "if its queue of notifications is full, a client that listens has had a transaction"
              + " open for too long; see pg_notification_queue_usage()";
      case "40001" ->
          answered
              + "transactions must be READ COMMITTED; see default_transaction_isolation and the"
              + " pool's setting";
      default ->
          switch (state.substring(0, 2)) {
            case "08" -> "The connection to " + server + " was lost (" + state + ")";
            case "28" -> answered + "it refused the credentials";
            case "53" -> answered + "it is short of disk, memory or connections";
            case "57" -> answered + "it is starting up or shutting down";
            default -> answered.substring(0, answered.length() - 2);
          };
    };
  }
}
