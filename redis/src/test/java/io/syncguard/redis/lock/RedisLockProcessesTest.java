package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.testkit.LockProcessContract;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Several JVMs, one lock. */
class RedisLockProcessesTest extends LockProcessContract {
  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @Override
  protected String uri() {
    return server.uri();
  }

  @Override
  protected Duration untilTheKilledAreSkipped() {
    return Duration.ofSeconds(3);
  }

  /** A lock of a process that was killed stays until it expires. */
  @Override
  protected void assertNothingIsLeftOfQueues() {
    assertThat((List<?>) server.command("KEYS", "syncguard:id:queue:*")).isEmpty();
    assertThat((List<?>) server.command("KEYS", "syncguard:id:alive:*")).isEmpty();
  }
}
