package io.syncguard.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyProxyTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private static RedisServer server;
  private FaultyProxy proxy;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @BeforeEach
  void startProxy() {
    server.command("FLUSHALL");
    proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @Test
  void aHealthyProxyForwardsBothWays() throws IOException {
    try (RespConnection client = connect()) {
      String large = "x".repeat(1_000_000);
      assertThat(client.call("SET", "key", large)).isEqualTo("OK");
      assertThat(client.call("GET", "key")).isEqualTo(large);
    }
  }

  @Test
  void frozenRepliesComeAfterHealing() throws IOException {
    try (RespConnection client = RespConnection.open(proxy.port(), SHORT)) {
      client.call("PING");
      proxy.freezeReplies();
      assertThatThrownBy(() -> client.call("INCR", "key"))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(server.command("GET", "key")).isEqualTo("1");
      client.send("INCR", "key");
      eventually(() -> "2".equals(server.command("GET", "key")));
      proxy.heal();
      assertThat(client.readReply()).isEqualTo(1L);
      assertThat(client.readReply()).isEqualTo(2L);
    }
  }

  @Test
  void aDroppedReplyMeansExecutedButUnanswered() throws IOException {
    try (RespConnection client = connect()) {
      client.call("PING");
      proxy.dropReplies(1);
      assertThatThrownBy(() -> client.call("INCR", "key")).isInstanceOf(EOFException.class);
      assertThat(proxy.droppedReplies()).isEqualTo(1);
      assertThat(server.command("GET", "key")).isEqualTo("1");
    }
    try (RespConnection next = connect()) {
      assertThat(next.call("INCR", "key")).isEqualTo(2L);
    }
  }

  @Test
  void asManyRepliesAreDroppedAsAskedFor() throws IOException {
    proxy.dropReplies(2);
    for (int i = 0; i < 2; i++) {
      try (RespConnection client = connect()) {
        assertThatThrownBy(() -> client.call("INCR", "key")).isInstanceOf(EOFException.class);
      }
    }
    try (RespConnection client = connect()) {
      assertThat(client.call("INCR", "key")).isEqualTo(3L);
    }
  }

  @Test
  void pipelinedRequestsAreAllExecutedWhenTheirRepliesAreDropped() throws IOException {
    try (RespConnection client = connect()) {
      client.call("PING");
      server.pause();
      proxy.dropReplyTo("marked");
      for (int i = 0; i < 100; i++) {
        client.send("INCR", i == 50 ? "marked" : "key");
      }
      server.resume();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  client.readReply();
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(server.command("GET", "marked")).isEqualTo("1");
      assertThat(proxy.droppedReplies()).isEqualTo(1);
    }
  }

  @Test
  void onlyTheReplyToTheNamedRequestIsDropped() throws IOException {
    proxy.dropReplyTo("ключ");
    try (RespConnection client = connect();
        RespConnection other = connect()) {
      assertThat(client.call("INCR", "other")).isEqualTo(1L);
      assertThatThrownBy(() -> client.call("INCR", "ключ")).isInstanceOf(EOFException.class);
      assertThat(other.call("INCR", "ключ")).isEqualTo(2L);
    }
  }

  @Test
  void cutConnectionsAreClosedAndNewOnesWork() throws IOException {
    try (RespConnection client = connect()) {
      client.call("PING");
      proxy.cutConnections();
      assertThatThrownBy(() -> client.call("PING")).isInstanceOf(IOException.class);
    }
    try (RespConnection next = connect()) {
      assertThat(next.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void aCutEndsAFreezeForTheConnectionsOfNow() throws IOException {
    proxy.freezeReplies();
    try (RespConnection client = connect()) {
      client.send("INCR", "key");
      eventually(() -> "1".equals(server.command("GET", "key")));
      proxy.cutConnections();
      assertThatThrownBy(client::readReply).isInstanceOf(IOException.class);
    }
  }

  @Test
  void refusedConnectionsAreRefusedUntilHealedAndOldOnesLiveOn() throws IOException {
    try (RespConnection client = connect()) {
      client.call("PING");
      proxy.refuseConnections();
      assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
      assertThat(client.call("PING")).isEqualTo("PONG");
      proxy.heal();
    }
    try (RespConnection next = connect()) {
      assertThat(next.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void aDelayHoldsEveryReplyThatLong() throws IOException {
    try (RespConnection client = connect()) {
      proxy.delayReplies(SHORT);
      long start = System.nanoTime();
      client.call("PING");
      client.call("PING");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT.multipliedBy(2));
    }
  }

  @Test
  void healingEndsADelay() throws IOException {
    try (RespConnection client = connect()) {
      proxy.delayReplies(Duration.ofHours(1));
      client.send("INCR", "key");
      eventually(() -> "1".equals(server.command("GET", "key")));
      proxy.heal();
      assertThat(client.readReply()).isEqualTo(1L);
    }
  }

  @Test
  void aClosedClientIsClosedAtTheServerEvenWhileFrozen() throws IOException {
    try (RespConnection client = connect()) {
      client.call("CLIENT", "SETNAME", "leaver");
      proxy.freezeReplies();
      assertThat(clients()).contains("name=leaver");
    }
    eventually(() -> !clients().contains("name=leaver"));
  }

  @Test
  void aServerThatIsDownLooksDown() throws IOException {
    try (RedisServer mortal = RedisServer.start();
        FaultyProxy between = FaultyProxy.forwardingTo("127.0.0.1", mortal.port())) {
      mortal.kill();
      try (RespConnection client = RespConnection.open(between.port())) {
        assertThatThrownBy(() -> client.call("PING")).isInstanceOf(IOException.class);
      }
      mortal.restart();
      try (RespConnection client = RespConnection.open(between.port())) {
        assertThat(client.call("PING")).isEqualTo("PONG");
      }
    }
  }

  private static String clients() {
    return String.valueOf(server.command("CLIENT", "LIST"));
  }

  private RespConnection connect() throws IOException {
    return RespConnection.open(proxy.port());
  }

  private static void eventually(Await.Question<Boolean> condition) {
    Await.until("the expected state", Duration.ofSeconds(10), condition);
  }
}
