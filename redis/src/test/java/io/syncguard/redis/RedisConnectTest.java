package io.syncguard.redis;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.syncguard.Subject;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.check.ServerCheck;
import io.syncguard.redis.connection.OwnClient;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a URI leads to, on a server that asks for credentials. */
class RedisConnectTest {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server =
        RedisServer.builder().password("p@ss").acl("user alice on >s3cr:t ~* &* +@all").start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String address() {
    return "127.0.0.1:" + server.port();
  }

  @Test
  void aPasswordAloneIsThatOfTheDefaultUser() {
    try (SyncGuard guard = SyncGuard.open(server.uri())) {
      take(guard.locks(), "k", Duration.ofSeconds(30)).close();
    }
  }

  @Test
  void aUserWithAPasswordLocksInTheDatabaseOfTheUri() {
    try (SyncGuard guard =
        SyncGuard.open("redis://alice:s3cr%3At@" + address() + "/5?keyPrefix=mine")) {
      take(guard.locks(), "k", Duration.ofSeconds(30));
      assertThat(String.valueOf(server.command("INFO", "keyspace"))).contains("db5:keys=3");
    }
    assertThat(server.command("EXISTS", "mine:k")).isEqualTo(0L);
  }

  @Test
  void wrongCredentialsAreRefusedAndNotRepeated() {
    for (String who : new String[] {"alice:wr0ng", ":wr0ng", "nobody:wr0ng"}) {
      Throwable failure =
          assertFails(
              Code.AUTH_FAILED, () -> RedisStore.connect("redis://" + who + "@" + address()));
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        assertThat(String.valueOf(cause.getMessage())).doesNotContain("wr0ng");
      }
    }
  }

  @Test
  void aReasonThatLettuceDroppedIsAskedForAgain() {
    Iterator<RedisConnectionException> failures =
        List.of(
                new RedisConnectionException(
                    "Unable to connect",
                    new IllegalStateException("RedisHandshakeHandler not registered")),
                new RedisConnectionException(
                    "Unable to connect", new RedisCommandExecutionException("WRONGPASS no")))
            .iterator();
    assertFails(
        Code.AUTH_FAILED,
        () ->
            RedisStore.connected(
                () -> {
                  throw failures.next();
                }));
  }

  @Test
  void aConnectionThatTakesNoCommandsYetIsWaitedFor() throws Exception {
    try (FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
        OwnClient client = RedisUri.parse("redis://127.0.0.1", RedisOptions.defaults()).client();
        StatefulRedisConnection<String, String> connection =
            client.single().connect(RedisURI.create("redis://:p%40ss@127.0.0.1:" + proxy.port()))) {
      proxy.refuseConnections();
      proxy.cutConnections();
      eventually(() -> assertThat(connection.isOpen()).isFalse());
      CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(proxy::heal);
      assertThatCode(() -> ServerCheck.standalone(connection)).doesNotThrowAnyException();
    }
  }

  @Test
  void aServerThatIsGoneIsNamedByHostAndPort() throws Exception {
    RedisServer leaving = RedisServer.start();
    try (SyncGuard guard = SyncGuard.open(leaving.uri())) {
      leaving.close();
      eventually(
          () ->
              assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().isLocked("k")))
                  .hasMessage("There is no connection to Redis at 127.0.0.1:" + leaving.port()));
    }
  }

  @Test
  void aServerThatIsNotThereIsNamedByHostAndPort() throws IOException {
    int port;
    try (ServerSocket unused = new ServerSocket(0)) {
      port = unused.getLocalPort();
    }
    String nowhere = "127.0.0.1:" + port;
    for (String uri :
        new String[] {
          "redis://:s3cr%3At@" + nowhere,
          "redis-sentinel://:s3cr%3At@" + nowhere + "/0#main",
          "redis-cluster://:s3cr%3At@" + nowhere
        }) {
      assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> RedisStore.connect(uri)))
          .hasMessageContaining("cannot be reached at " + nowhere)
          .hasMessageNotContainingAny("answered", "s3cr", "lost");
    }
    assertThat(
            assertFails(
                Code.SERVICE_UNAVAILABLE, () -> RedisStore.connect("redis://no.such.host.invalid")))
        .hasMessageContaining("no.such.host.invalid:6379: the host is not known");
  }

  @Test
  void aServerThatAcceptsAndIsSilentIsNamedToo() throws IOException {
    try (ServerSocket silent = new ServerSocket(0)) {
      String uri = "redis://127.0.0.1:" + silent.getLocalPort();
      RedisOptions hasty = RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(200));
      assertThat(
              catchThrowableOfType(SyncGuardException.class, () -> RedisStore.connect(uri, hasty)))
          .hasMessage("Redis cannot be reached at 127.0.0.1:%d in time", silent.getLocalPort());
    }
  }

  @Test
  void aUriThatDoesNotFitTheServerIsToldWhy() {
    String alice = "alice:s3cr%3At@" + address();
    assertThat(
            assertFails(
                Code.INVALID_ARGUMENT, () -> RedisStore.connect("redis://" + alice + "/99")))
        .hasMessageContaining("DB index is out of range");
    try (RedisServer plain = RedisServer.start()) {
      String sentinel = "redis-sentinel://127.0.0.1:" + plain.port() + "/0#main";
      assertThat(assertFails(Code.INVALID_ARGUMENT, () -> RedisStore.connect(sentinel)))
          .hasMessageContaining("not a Sentinel");
    }
  }

  @Test
  void anUnknownErrorKeepsItsWordsButNotWhatItRepeats() {
    Subject subject = Subject.ofLock("order:42", null);
    assertThat(
            RedisFailures.of(
                new RedisCommandExecutionException(
                    "ERR unknown command 'EVALSHA', with args beginning with: 'f00' 'order:42'"),
                subject))
        .hasMessage("Redis answered ERR unknown command 'EVALSHA'");
    assertThat(
            RedisFailures.of(
                new RedisCommandExecutionException("ERR something about order:42"), subject))
        .hasMessage("Redis answered ERR");
  }

  @Test
  void aServerThatTakesNoMoreClientsIsUnavailable() throws Exception {
    try (RedisServer full = RedisServer.start();
        Socket client = new Socket(InetAddress.getLoopbackAddress(), full.port())) {
      full.command("CONFIG", "SET", "maxclients", "1");
      assertThat(client.isConnected()).isTrue();
      assertFails(Code.SERVICE_UNAVAILABLE, () -> RedisStore.connect(full.uri()));
    }
    assertThat(
            RedisFailures.of(
                    new RedisCommandExecutionException("ERR max number of clients reached"),
                    Subject.NONE)
                .code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void noCredentialsAreNotEnough() {
    assertFails(Code.AUTH_FAILED, () -> RedisStore.connect("redis://" + address()));
  }
}
