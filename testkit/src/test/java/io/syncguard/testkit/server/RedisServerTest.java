package io.syncguard.testkit.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisServerTest {
  private static final String[] DURABLE = {"--appendonly", "yes", "--appendfsync", "always"};

  @Test
  void aStartedServerAnswersEveryKindOfReply() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
      assertThat(server.command("SET", "ключ", "значение")).isEqualTo("OK");
      assertThat(server.command("GET", "ключ")).isEqualTo("значение");
      assertThat(server.command("GET", "missing")).isNull();
      assertThat(server.command("INCR", "count")).isEqualTo(1L);
      assertThat(server.command("MGET", "count", "missing")).isEqualTo(Arrays.asList("1", null));
      assertThatExceptionOfType(RedisErrorException.class)
          .isThrownBy(() -> server.command("LPUSH", "count", "x"))
          .returns("WRONGTYPE", RedisErrorException::code);
    }
  }

  @Test
  void argumentsReachTheServer() {
    try (RedisServer server = RedisServer.start("--maxmemory", "2mb")) {
      assertThat(server.command("CONFIG", "GET", "maxmemory"))
          .isEqualTo(List.of("maxmemory", "2097152"));
    }
  }

  @Test
  void aReplicaFollowsItsMaster() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1 " + master.port())) {
      master.command("SET", "key", "value");
      eventually(() -> "value".equals(replica.command("GET", "key")));
    }
  }

  @Test
  void aPasswordIsDemandedAndPartOfTheUri() throws IOException {
    try (RedisServer server = RedisServer.builder().password("s3 cret").start();
        RespConnection stranger = RespConnection.open(server.port())) {
      assertThat(server.command("PING")).isEqualTo("PONG");
      assertThat(server.uri()).isEqualTo("redis://:s3%20cret@127.0.0.1:" + server.port());
      assertThatThrownBy(() -> stranger.call("GET", "key")).hasMessageStartingWith("NOAUTH");
    }
  }

  @Test
  void anAclUserMayDoWhatItsLineSays() throws IOException {
    RedisServerBuilder builder =
        RedisServer.builder().password("admin").acl("user alice on >pw ~app:* &* +@read");
    try (RedisServer server = builder.start();
        RespConnection alice = RespConnection.open(server.port())) {
      assertThat(server.command("SET", "app:1", "value")).isEqualTo("OK");
      alice.call("AUTH", "alice", "pw");
      assertThat(alice.call("GET", "app:1")).isEqualTo("value");
      assertThatThrownBy(() -> alice.call("SET", "app:1", "x")).hasMessageStartingWith("NOPERM");
      server.restart();
      assertThat(server.command("ACL", "USERS")).isEqualTo(List.of("alice", "default"));
    }
  }

  @Test
  void aDurableServerKeepsItsKeysOverAKillAndARestart() {
    try (RedisServer server = RedisServer.start(DURABLE)) {
      int port = server.port();
      server.command("SET", "key", "value");
      server.kill();
      assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);
      server.restart();
      assertThat(server.command("GET", "key")).isEqualTo("value");
      assertThat(server.port()).isEqualTo(port);
    }
  }

  @Test
  void aServerInMemoryForgetsOverARestart() {
    try (RedisServer server = RedisServer.start()) {
      server.command("SET", "key", "value");
      server.stop();
      server.stop();
      server.restart();
      assertThat(server.command("GET", "key")).isNull();
      server.restart();
      assertThat(server.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void aPausedServerAnswersOnceItIsResumed() throws IOException {
    try (RedisServer server = RedisServer.start();
        RespConnection connection = RespConnection.open(server.port(), Duration.ofMillis(200))) {
      connection.call("PING");
      server.pause();
      assertThatThrownBy(() -> connection.call("SET", "key", "late"))
          .isInstanceOf(SocketTimeoutException.class);
      server.resume();
      eventually(() -> "late".equals(server.command("GET", "key")));
    }
  }

  @Test
  void aPausedServerCanBeStoppedKilledAndClosed() {
    try (RedisServer server = RedisServer.start()) {
      server.pause();
      server.stop();
      server.restart();
      server.pause();
      server.kill();
      server.restart();
      server.pause();
    }
  }

  @Test
  void aServerThatCannotStartSaysWhy() {
    assertThatThrownBy(() -> RedisServer.start("--no-such-option", "1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-option");
  }

  @Test
  void closingRemovesTheDataDirectory() {
    RedisServer server = RedisServer.start(DURABLE);
    Path directory = directoryOf(server);
    assertThat(directory).isDirectory();
    server.close();
    server.close();
    assertThat(directory).doesNotExist();
  }

  @Test
  void aCrashedJvmLeavesNoServerBehind() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String classPath = System.getProperty("java.class.path");
    Process jvm =
        new ProcessBuilder(java.toString(), "-cp", classPath, CrashingMain.class.getName())
            .redirectError(new File("/dev/null"))
            .start();
    List<String> started = new String(jvm.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(jvm.waitFor()).isEqualTo(1);
    assertThat(ProcessHandle.of(Long.parseLong(started.get(0)))).isEmpty();
    assertThat(Path.of(started.get(1))).doesNotExist();
  }

  /** Starts a server and fails before it is closed. */
  static final class CrashingMain {
    public static void main(String[] args) {
      RedisServer server = RedisServer.start();
      String pid = server.field("process_id", "INFO", "server");
      System.out.println(pid);
      System.out.println(directoryOf(server));
      throw new IllegalStateException("crash");
    }
  }

  private static Path directoryOf(RedisServer server) {
    Object reply = server.command("CONFIG", "GET", "dir");
    return Path.of(String.valueOf(((List<?>) requireNonNull(reply)).get(1)));
  }

  private static void eventually(Await.Question<Boolean> condition) {
    Await.until("the expected state", Duration.ofSeconds(10), condition);
  }
}
