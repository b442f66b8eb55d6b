package io.syncguard.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.testkit.history.RateHistory;
import io.syncguard.testkit.process.RateRace;
import io.syncguard.testkit.process.ViewRace;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two JVMs, one secret, one limiter. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisRaceTest {

  private static RedisServer server;

  /** With patience, as a busy machine may keep a JVM from its connection for a while. */
  private static String uri;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
    uri = server.uri() + "?timeout=30s";
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @Test
  void aSecretOf1000ViewsIsRevealedExactly1000TimesTo64ThreadsInTwoProcesses() {
    try (SyncGuard guard = SyncGuard.open(uri)) {
      byte[] payload = "secret".getBytes(UTF_8);
      SecretId id = guard.secrets().put(payload, Views.of(1000), Duration.ofHours(1));
      assertThat(ViewRace.run(uri, id, 2, 32))
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 1000).boxed().toList());
    }
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void inNoWindowIsMoreAllowedThanTheRateAndTheBurst() {
    RateHistory history = new RateRace(3000, 50, 2, 8, 16_000).run(uri);
    assertThat(history.size()).isGreaterThanOrEqualTo(50);
  }
}
