package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries out scripts, each as one atomic step that is over when it returns. Thread-safe. */
interface ScriptRunner extends AutoCloseable {

  /** What a script does, which says what has to be on disk before it is over. */
  enum Effect {
    /** It changes nothing. */
    READ,
    /** It changes what must survive a crash. */
    WRITE,
    /** It changes what a crash may undo: nobody then has what is somebody else's. */
    RELAXED_WRITE
  }

  /** Makes something of a row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * Blocks while the script is carried out.
   *
   * @param parameters by their names; more than the script has do no harm
   * @return what the reader makes of the only row, or null if there is none
   * @throws SyncGuardException if it fails
   */
  <T> @Nullable T run(
      Effect effect, Script script, Map<String, Object> parameters, Call call, RowReader<T> reader);

  /** Blocks while copies of what was deleted are removed, where the database keeps such. */
  default void scrub() {}

  /** Blocks while connections that were opened for this are closed; later calls do nothing. */
  @Override
  void close();
}
