package io.syncguard.testkit.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** An empty database of a test's own, dropped when closed. Thread-safe. */
public final class PostgresDatabase implements AutoCloseable {

  /** The environment variable that holds the URI of a server of one's own. */
  public static final String OWN_SERVER = "SYNCGUARD_TEST_POSTGRES";

  private static final ConcurrentMap<Integer, PostgresServer> SHARED = new ConcurrentHashMap<>();

  private final PostgresAddress server;
  private final PostgresAddress address;

  private PostgresDatabase(PostgresAddress server, PostgresAddress address) {
    this.server = server;
    this.address = address;
  }

  /**
   * Blocks until there is a database on the server whose URI is in {@value #OWN_SERVER}, whatever
   * its version, or else on one that all tests of this JVM share.
   *
   * @param version the major version of the shared server, such as 15
   */
  public static PostgresDatabase create(int version) {
    @Nullable String own = System.getenv(OWN_SERVER);
    if (own != null) {
      return createOn(PostgresAddress.parse(own), "syncguard_" + UUID.randomUUID());
    }
    return SHARED
        .computeIfAbsent(version, v -> PostgresServer.builder().version(v).start())
        .createDatabase();
  }

  static PostgresDatabase createOn(PostgresAddress server, String name) {
    PostgresDatabase database = new PostgresDatabase(server, server.withDatabase(name));
    execute(server, "CREATE DATABASE \"" + name + "\"");
    return database;
  }

  /** Returns at once where it is, with the login that created it. */
  public PostgresAddress address() {
    return address;
  }

  /** Returns at once its {@code postgresql://} URI, with user and password. */
  public String uri() {
    return address.uri();
  }

  /** Blocks until connected; the caller closes the connection. */
  public Connection connect() throws SQLException {
    return address.connect();
  }

  /** Blocks while a new connection runs these statements. */
  public void execute(String sql) {
    execute(address, sql);
  }

  /** Blocks until the database is gone; all clients of it are cut off. */
  @Override
  public void close() {
    execute(server, "DROP DATABASE IF EXISTS \"" + address.database() + "\" WITH (FORCE)");
  }

  private static void execute(PostgresAddress where, String sql) {
    try (Connection connection = where.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed on " + where + ": " + sql, e);
    }
  }
}
