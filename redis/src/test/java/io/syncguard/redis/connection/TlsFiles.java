package io.syncguard.redis.connection;

import io.syncguard.testkit.server.RedisServer;
import io.syncguard.testkit.server.RedisServerBuilder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** The certificates that {@code tls/make.sh} made, and servers that show one of them. */
final class TlsFiles {

  /** What {@code server}, {@code elsewhere} and {@code client} come from. */
  static final Path CA = file("ca.pem");

  /** What {@code stranger} comes from. */
  static final Path OTHER_CA = file("other-ca.pem");

  static final Path CLIENT = file("client.pem");
  static final Path CLIENT_KEY = file("client.key");

  /** A parameter by which a URI trusts the servers' CA. */
  static final String TRUSTING = "sslrootcert=" + CA;

  static final String WITH_CERTIFICATE = "sslcert=" + CLIENT + "&sslkey=" + CLIENT_KEY;

  private TlsFiles() {}

  static Path file(String name) {
    try {
      return Path.of(Objects.requireNonNull(TlsFiles.class.getResource("tls/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A server that also takes TLS, not started yet.
   *
   * @param whose {@code server}, for localhost and 127.0.0.1; {@code elsewhere}, which is for
   *     another host; or {@code stranger}, as the first, but of another CA
   */
  static RedisServerBuilder showing(String whose, boolean asksClients) {
    return RedisServer.builder().tls(file(whose + ".pem"), file(whose + ".key"), CA, asksClients);
  }
}
