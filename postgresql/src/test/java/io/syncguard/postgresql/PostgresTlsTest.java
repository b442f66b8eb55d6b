package io.syncguard.postgresql;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.testkit.server.PostgresServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with TLS whose certificate is not what it should be. The certificates are those of the
 * tests of Redis, which are made by {@code tls/make.sh} there.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresTlsTest {

  @TempDir private Path directory;

  private static Path file(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(PostgresTlsTest.class.getResource("tls/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Starts a server.
   *
   * @param whose {@code server}, for localhost and 127.0.0.1; {@code elsewhere}, which is for
   *     another host; or {@code stranger}, as the first, but of another CA
   */
  private PostgresServer showing(String whose) throws IOException {
    Path key = directory.resolve("key");
    Files.copy(file(whose + ".key"), key);
    // PostgreSQL takes no key that others may read.
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return PostgresServer.builder()
        .version(18)
        .setting("ssl", "on")
        .setting("ssl_cert_file", file(whose + ".pem").toString())
        .setting("ssl_key_file", key.toString())
        .start();
  }

  private static String trusting(String sslMode) {
    return "?sslmode=" + sslMode + "&sslrootcert=" + file("ca.pem");
  }

  private static SyncGuardException assertRefused(
      Code code, PostgresServer server, String parameters) {
    SyncGuardException failure =
        assertFails(code, () -> PostgresStore.connect(server.address().uri() + parameters));
    assertThat(failure.isTransient()).isFalse();
    assertThat(failure).message().doesNotContain("is it running");
    return failure;
  }

  @Test
  void aServerThatIsTrustedIsConnectedTo() throws Exception {
    try (PostgresServer server = showing("server")) {
      PostgresStore.connect(server.address().uri() + trusting("verify-full")).close();
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsToldAsSuch() throws Exception {
    try (PostgresServer server = showing("stranger")) {
      assertThat(assertRefused(Code.AUTH_FAILED, server, trusting("verify-ca")))
          .hasMessageContainingAll("not trusted", "sslrootcert", ":" + server.port());
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsToldOverADataSourceToo() throws Exception {
    try (PostgresServer server = showing("stranger")) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(server.address().jdbcUrl() + trusting("verify-ca"));
      config.setUsername(server.address().user());
      config.setPassword(server.address().password());
      config.setInitializationFailTimeout(-1);
      config.setConnectionTimeout(500);
      try (HikariDataSource pool = new HikariDataSource(config);
          PostgresStore store = PostgresStore.over(pool, PostgresOptions.defaults())) {
        assertThat(
                assertFails(
                    Code.AUTH_FAILED,
                    () -> OnPostgres.acquire(store.locks(), "k", LockId.random())))
            .hasMessageContainingAll("not trusted", "sslrootcert");
      }
    }
  }

  @Test
  void aCertificateForAnotherHostIsToldAsSuch() throws Exception {
    try (PostgresServer server = showing("elsewhere")) {
      assertThat(assertRefused(Code.AUTH_FAILED, server, trusting("verify-full")))
          .hasMessageContainingAll("another host", "sslmode");
      PostgresStore.connect(server.address().uri() + trusting("verify-ca")).close();
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws Exception {
    try (PostgresServer server = showing("server")) {
      Path missing = directory.resolve("missing.pem");
      assertThat(
              assertRefused(
                  Code.INVALID_ARGUMENT, server, "?sslmode=verify-ca&sslrootcert=" + missing))
          .hasMessageContainingAll(missing.toString(), "sslrootcert");
    }
  }
}
