package io.syncguard.redis.connection;

import static io.syncguard.redis.connection.TlsFiles.CA;
import static io.syncguard.redis.connection.TlsFiles.CLIENT;
import static io.syncguard.redis.connection.TlsFiles.CLIENT_KEY;
import static io.syncguard.redis.connection.TlsFiles.TRUSTING;
import static io.syncguard.redis.connection.TlsFiles.WITH_CERTIFICATE;
import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.testkit.server.RedisServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * TLS with a CA of one's own, plain and mutual, on servers that take it: one, Sentinel, Cluster.
 */
class RedisTlsTest {

  private static final Duration TTL = Duration.ofSeconds(30);

  private static RedisServer server;
  private static RedisServer mutual;
  private static RedisServer elsewhere;
  private static RedisServer stranger;
  private static RedisServer sentinel;
  private static RedisServer clusterNode;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    server = TlsFiles.showing("server", false).start();
    mutual = TlsFiles.showing("server", true).start();
    elsewhere = TlsFiles.showing("elsewhere", false).start();
    stranger = TlsFiles.showing("stranger", false).start();
    // It cannot speak with the master, which takes TLS there, but knows where the master is.
    sentinel =
        TlsFiles.showing("server", false)
            .config("sentinel monitor main 127.0.0.1 " + server.tlsPort() + " 1")
            .config("sentinel monitor moved 127.0.0.1 " + elsewhere.tlsPort() + " 1")
            .args("--sentinel")
            .start();
    clusterNode =
        TlsFiles.showing("server", false)
            .args("--cluster-enabled", "yes", "--cluster-port", unusedPort())
            .args("--tls-cluster", "yes")
            .start();
    clusterNode.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    eventually(
        () ->
            assertThat(String.valueOf(clusterNode.command("CLUSTER", "INFO")))
                .contains("cluster_state:ok"));
  }

  @AfterAll
  static void stop() {
    Stream.of(server, mutual, elsewhere, stranger, sentinel, clusterNode)
        .forEach(RedisServer::close);
  }

  static Stream<String> trustedUris() {
    return Stream.of(
        "rediss://127.0.0.1:" + server.tlsPort() + "?" + TRUSTING,
        "rediss://localhost:" + server.tlsPort() + "?" + TRUSTING,
        "rediss://127.0.0.1:" + mutual.tlsPort() + "?" + TRUSTING + "&" + WITH_CERTIFICATE,
        "rediss://127.0.0.1:" + elsewhere.tlsPort() + "?verifyPeer=CA&" + TRUSTING,
        "rediss-sentinel://127.0.0.1:" + sentinel.tlsPort() + "?" + TRUSTING + "#main",
        "rediss-cluster://127.0.0.1:" + clusterNode.tlsPort() + "?" + TRUSTING);
  }

  /** A waiter and a semaphore's permit need further connections than the first. */
  @ParameterizedTest
  @MethodSource("trustedUris")
  void allWorksWithACaOfOnesOwn(String uri) throws Exception {
    try (SyncGuard guard = SyncGuard.open(uri)) {
      LockHandle held = take(guard.locks(), "k", TTL);
      var waiting = guard.locks().async().lock("k").toCompletableFuture();
      held.close();
      waiting.join().close();
      guard.semaphore("s", 1).acquire(TTL).close();
    }
  }

  private static String unusedPort() throws IOException {
    try (ServerSocket unused = new ServerSocket(0)) {
      return Integer.toString(unused.getLocalPort());
    }
  }

  private static RedisOptions trusting() {
    return RedisOptions.defaults().withTrustedCertificates(CA);
  }

  private static String uri(RedisServer to) {
    return "rediss://127.0.0.1:" + to.tlsPort();
  }

  @Test
  void theOptionsNameTheSameFiles() {
    RedisStore.connect(uri(server), trusting()).close();
    RedisStore.connect(uri(mutual), trusting().withClientCertificate(CLIENT, CLIENT_KEY)).close();
  }

  static Stream<String> untrustedUris() {
    return Stream.of(
        uri(server),
        uri(server) + "?sslrootcert=" + TlsFiles.OTHER_CA,
        uri(stranger) + "?" + TRUSTING,
        "rediss-sentinel://127.0.0.1:" + sentinel.tlsPort() + "#main",
        "rediss-cluster://127.0.0.1:" + clusterNode.tlsPort());
  }

  @ParameterizedTest
  @MethodSource("untrustedUris")
  void aCertificateThatIsNotTrustedIsToldSo(String uri) {
    assertThat(assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri)))
        .hasMessageContaining("certificate of Redis is not trusted")
        .hasMessageContaining("sslrootcert");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sentinel"})
  void aCertificateForAnotherHostIsToldSo(String through) {
    String uri =
        through.isEmpty()
            ? uri(elsewhere) + "?" + TRUSTING
            : "rediss-sentinel://127.0.0.1:" + sentinel.tlsPort() + "?" + TRUSTING + "#moved";
    assertThat(assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri)))
        .hasMessageContaining("for another host")
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void aClusterWhoseCertificateIsForAnotherHostIsToldSo() throws IOException {
    try (RedisServer node =
        TlsFiles.showing("elsewhere", false)
            .args("--cluster-enabled", "yes", "--cluster-port", unusedPort())
            .start()) {
      String uri = "rediss-cluster://127.0.0.1:" + node.tlsPort() + "?" + TRUSTING;
      assertThat(assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri)))
          .hasMessageContaining("for another host");
    }
  }

  @Test
  void aServerThatAsksForACertificateSaysSo() {
    assertThat(assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri(mutual), trusting())))
        .hasMessageContaining("this client's certificate")
        .hasMessageContaining("sslcert");
  }

  @Test
  void aPortThatDoesNotSpeakTlsIsToldSo() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answering =
          CompletableFuture.runAsync(
              () -> {
                try (Socket client = listener.accept()) {
                  client.getInputStream().read();
                  client.getOutputStream().write("-ERR unknown command\r\n".getBytes(US_ASCII));
                  client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      String uri = "rediss://127.0.0.1:" + listener.getLocalPort();
      assertThat(assertFails(Code.INVALID_ARGUMENT, () -> RedisStore.connect(uri)))
          .hasMessageContaining("does not speak TLS");
      answering.join();
    }
  }

  @Test
  void aServerThatIsSilentInTheHandshakeIsLeftInTime() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String uri = "rediss://127.0.0.1:" + silent.getLocalPort() + "?timeout=200ms";
      assertThat(catchThrowableOfType(SyncGuardException.class, () -> RedisStore.connect(uri)))
          .hasMessageContaining("in time; see whether this port takes TLS");
    }
  }

  @Test
  void aPortThatTakesTlsOnlyIsToldSo() {
    String uri = "redis://127.0.0.1:" + server.tlsPort();
    assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> RedisStore.connect(uri)))
        .hasMessageContaining("if it takes TLS only");
  }

  @Test
  void theHandshakeHasAsLongAsConnecting() {
    List<RedisURI> servers = List.of(RedisURI.create("rediss://localhost"));
    Duration timeout = Duration.ofSeconds(3);
    try (OwnClient client = OwnClient.of(servers, false, timeout, RedisTls.OF_THE_JVM)) {
      assertThat(client.single().getOptions().getSslOptions().getHandshakeTimeout())
          .isEqualTo(timeout);
    }
  }

  @Test
  void aCertificateThatWasRenewedCountsForTheNextConnection() throws Exception {
    Path trusted = Files.copy(TlsFiles.OTHER_CA, directory.resolve("ca.pem"));
    String uri = uri(server) + "?sslrootcert=" + trusted;
    assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri));
    Files.copy(CA, trusted, StandardCopyOption.REPLACE_EXISTING);
    RedisStore.connect(uri).close();
  }

  @Test
  void filesThatAreNotWhatTheyShouldBeAreNamed() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    for (RedisOptions options :
        new RedisOptions[] {
          trusting().withTrustedCertificates(empty),
          trusting().withClientCertificate(empty, CLIENT_KEY),
          trusting().withClientCertificate(CLIENT, empty),
          trusting().withTrustedCertificates(directory.resolve("empty.pem/none")),
          trusting().withClientCertificate(CLIENT, directory.resolve("empty.pem/none"))
        }) {
      assertThat(assertFails(Code.INVALID_ARGUMENT, () -> RedisStore.connect(uri(server), options)))
          .hasMessageContaining("empty.pem");
    }
  }

  @Test
  void certificatesWithoutTlsAreRefused() {
    String plain = "redis://127.0.0.1:" + server.port();
    for (String parameter : new String[] {TRUSTING, WITH_CERTIFICATE}) {
      assertThat(
              assertFails(Code.INVALID_ARGUMENT, () -> RedisStore.connect(plain + "?" + parameter)))
          .hasMessageContaining("rediss://");
    }
    assertFails(Code.INVALID_ARGUMENT, () -> RedisStore.connect(plain, trusting()));
  }

  @Test
  void aCertificateAndItsKeyComeTogether() {
    for (String half : new String[] {"sslcert=" + CLIENT, "sslkey=" + CLIENT_KEY}) {
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT, () -> RedisStore.connect(uri(mutual) + "?" + half)))
          .hasMessageContaining("come together");
    }
  }

  @Test
  void certificatesForAClientOfTheCallersAreRefused() {
    RedisClient client = RedisClient.create();
    try {
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT,
                  () -> RedisStore.over(client, RedisURI.create(server.uri()), trusting())))
          .hasMessageContaining("SslOptions");
    } finally {
      client.shutdown();
    }
  }
}
