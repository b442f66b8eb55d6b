package io.syncguard.jdbc.script;

import io.syncguard.SyncGuardException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries out scripts, each as one atomic step that is over when it returns. Thread-safe. */
public interface ScriptRunner extends AutoCloseable {

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
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader);

  /** Blocks while copies of what was deleted are removed, where the database keeps such. */
  default void scrub() {}

  /** Blocks while connections that were opened for this are closed; later calls do nothing. */
  @Override
  default void close() {}
}
