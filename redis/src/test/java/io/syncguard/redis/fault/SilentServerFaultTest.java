package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.RedisStore;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handshake that is never answered: Lettuce by itself waits for a minute. */
class SilentServerFaultTest {

  private final SilentServer silent = new SilentServer();

  @AfterEach
  void stop() throws Exception {
    silent.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://127.0.0.1:PORT?timeout=1s",
        "redis-sentinel://127.0.0.1:PORT,127.0.0.1:PORT/0?timeout=1s#m",
        "redis-cluster://127.0.0.1:PORT?timeout=1s"
      })
  void openingEndsInAboutTheTimeOfACommand(String uri) {
    long before = System.nanoTime();
    assertFails(
        Code.SERVICE_UNAVAILABLE,
        () -> RedisStore.connect(uri.replace("PORT", Integer.toString(silent.port()))));
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void connectingAnewDoesNotWaitForItForLong() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
        SyncGuard guard = SyncGuard.open("redis://127.0.0.1:" + proxy.port() + "?timeout=1s")) {
      proxy.leadTo("127.0.0.1", silent.port());
      proxy.cutConnections();
      eventually(() -> assertThat(silent.accepted()).isPositive());
      proxy.leadTo("127.0.0.1", server.port());
      eventually(() -> assertThat(guard.locks().isLocked("k")).isFalse());
    }
  }
}
