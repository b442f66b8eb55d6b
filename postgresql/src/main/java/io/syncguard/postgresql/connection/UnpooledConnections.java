package io.syncguard.postgresql.connection;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Opens a connection each time, and knows why the last one could not be opened. */
public final class UnpooledConnections extends PGSimpleDataSource {

  private static final long serialVersionUID = 1L;

  private transient volatile @Nullable SQLException failure;

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    try {
      Connection connection = super.getConnection(user, password);
      failure = null;
      return connection;
    } catch (SQLException e) {
      failure = e;
      throw e;
    }
  }

  /** Returns why there is no connection; null if the last one could be opened. */
  public @Nullable SQLException failure() {
    return failure;
  }

  /** A pool would say how long a caller waits for it, which is too short for connecting. */
  @Override
  public void setLoginTimeout(int seconds) {}

  /** As long a pool that is closed waits for a connection that is being opened. */
  @Override
  public int getLoginTimeout() {
    return 1;
  }
}
