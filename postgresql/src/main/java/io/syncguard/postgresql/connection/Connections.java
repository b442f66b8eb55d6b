package io.syncguard.postgresql.connection;

import io.syncguard.SyncGuardException;
import io.syncguard.jdbc.script.SqlCall;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where operations get their connections from. Thread-safe. */
public interface Connections extends AutoCloseable {

  /**
   * A connection in use.
   *
   * @param takenAt when its source gave it, by {@link System#nanoTime}
   */
  record Taken(Connection connection, long takenAt) {

    private static final Logger log =
        LoggerFactory.getLogger("io.syncguard.postgresql.PostgresStore");

    /** Blocks for as long as its source takes; never fails. */
    public void giveBack() {
      try {
        connection.close();
      } catch (SQLException | RuntimeException e) {
        log.debug("A connection could not be given back", e);
      }
    }
  }

  /**
   * Blocks until there is a connection, which the caller gives back, or until the call's time is
   * over or it was called off.
   *
   * @param deadline when its time is over, by {@link System#nanoTime}
   * @throws SyncGuardException if there is none; the database was not asked for anything
   */
  Taken take(SqlCall call, long deadline);

  /** Takes back a connection that worked, and gives it to its source now or soon. */
  default void putBack(Taken taken) {
    taken.giveBack();
  }

  /** Blocks while what was opened for this is closed; later calls do nothing. */
  @Override
  void close();
}
