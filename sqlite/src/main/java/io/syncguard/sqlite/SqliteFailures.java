package io.syncguard.sqlite;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns what SQLite fails with into the codes of {@link SyncGuardException}. */
final class SqliteFailures {

  /** What SQLite's codes have in their lower byte is the kind of failure. */
  private static final int KIND = 0xFF;

  private SqliteFailures() {}

  /** For a failure after which nothing has been changed. */
  static SyncGuardException of(SQLException failure, SqlCall call) {
    SQLiteErrorCode kind = kind(failure);
    return call.failure(codeFor(kind), explanation(kind), failure);
  }

  /** For a failure to get the turn to write. */
  static SyncGuardException whileWaiting(SQLException failure, SqlCall call) {
    SQLiteErrorCode kind = kind(failure);
    return kind == SQLiteErrorCode.SQLITE_BUSY
        ? call.failure(codeForWaiting(call), explanation(kind), failure)
        : of(failure, call);
  }

  /** Returns the code for having waited as long as the caller said, or as long as is usual. */
  static Code codeForWaiting(SqlCall call) {
    return call.isOver() ? Code.NETWORK_TIMEOUT : Code.SERVICE_UNAVAILABLE;
  }

  /** For a failure to write what was decided, part of which may be on disk. */
  static SyncGuardException whileCommitting(SQLException failure, SqlCall call) {
    SQLiteErrorCode kind = kind(failure);
    return kind == SQLiteErrorCode.SQLITE_BUSY
        ? of(failure, call)
        : call.unknown(codeFor(kind), explanation(kind), failure);
  }

  /** Returns whether another client had the file to itself. */
  static boolean isBusy(SQLException failure) {
    return kind(failure) == SQLiteErrorCode.SQLITE_BUSY;
  }

  private static SQLiteErrorCode kind(SQLException failure) {
    int code =
        failure instanceof SQLiteException sqlite
            ? sqlite.getResultCode().code
            : failure.getErrorCode();
    return SQLiteErrorCode.getErrorCode(code & KIND);
  }

  private static Code codeFor(SQLiteErrorCode kind) {
    return switch (kind) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL ->
          Code.SERVICE_UNAVAILABLE;
      case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH -> Code.AUTH_FAILED;
      case SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_TOOBIG, SQLITE_CONSTRAINT ->
          Code.INVALID_ARGUMENT;
      default -> Code.INTERNAL;
    };
  }

  private static String explanation(SQLiteErrorCode kind) {
    String answered = "SQLite answered " + kind.name() + ": ";
    return switch (kind) {
      case SQLITE_BUSY -> answered + "other processes kept the file to themselves for too long";
      case SQLITE_FULL -> answered + "the disk is full";
      case SQLITE_IOERR -> answered + "the disk is full or failed, or the file is on a network";
      case SQLITE_PERM, SQLITE_READONLY ->
          answered + "the file and its directory must be writable by this user";
      case SQLITE_CANTOPEN -> answered + "the file cannot be opened; is its directory there?";
      case SQLITE_NOTADB -> answered + "the file is something else than a SQLite database";
      case SQLITE_CORRUPT -> answered + "the file is damaged";
      default -> answered + "see whether its disk is full";
    };
  }
}
