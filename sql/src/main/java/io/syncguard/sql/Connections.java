package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import java.sql.Connection;

/** Where operations get their connections from. Thread-safe. */
interface Connections extends AutoCloseable {

  /**
   * Blocks until there is a connection, which the caller closes, or until the call's time is over
   * or it was called off.
   *
   * @param deadline when its time is over, by {@link System#nanoTime}
   * @throws SyncGuardException if there is none; the database was not asked for anything
   */
  Connection take(Call call, long deadline);

  /** Blocks while what was opened for this is closed; later calls do nothing. */
  @Override
  void close();
}
