package io.syncguard.testkit.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * Where a database is, and who logs in there. Immutable; only {@link #connect} blocks.
 *
 * @param host the server's name or address
 * @param port its port
 * @param database the name of the database
 * @param user who logs in
 * @param password with what
 */
public record PostgresAddress(
    String host, int port, String database, String user, String password) {
  private static final int DEFAULT_PORT = 5432;

  /** Reads a {@code postgresql://user:password@host:port/database} URI. */
  public static PostgresAddress parse(String uri) {
    URI parsed = URI.create(uri);
    if (parsed.getHost() == null || parsed.getRawUserInfo() == null) {
      throw new IllegalArgumentException(
          "Not of the form postgresql://user:password@host:port/database");
    }
    List<String> login = List.of(parsed.getRawUserInfo().split(":", 2));
    return new PostgresAddress(
        parsed.getHost(),
        parsed.getPort() < 0 ? DEFAULT_PORT : parsed.getPort(),
        decoded(parsed.getRawPath().replaceFirst("^/", "")),
        decoded(login.get(0)),
        login.size() < 2 ? "" : decoded(login.get(1)));
  }

  /** The same server and login, another database. */
  public PostgresAddress withDatabase(String name) {
    return new PostgresAddress(host, port, name, user, password);
  }

  /** The same database, another login. */
  public PostgresAddress withLogin(String name, String itsPassword) {
    return new PostgresAddress(host, port, database, name, itsPassword);
  }

  /** The same database behind another port of this machine, such as a {@link FaultyProxy}'s. */
  public PostgresAddress withLocalPort(int other) {
    return new PostgresAddress("127.0.0.1", other, database, user, password);
  }

  /** As {@code postgresql://} URI, with user and password. */
  public String uri() {
    String login = encoded(user) + (password.isEmpty() ? "" : ":" + encoded(password));
    return "postgresql://" + login + "@" + host + ":" + port + "/" + encoded(database);
  }

  /** As URL of the JDBC driver, without user and password. */
  public String jdbcUrl() {
    return "jdbc:postgresql://" + host + ":" + port + "/" + encoded(database);
  }

  /** Blocks until connected; the caller closes the connection. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user, password);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return jdbcUrl();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
  }
}
