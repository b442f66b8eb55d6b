package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.lock.Fence;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.process.ContentionResult;
import io.syncguard.testkit.process.ProcessContention;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several JVMs, one key. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisProcessesTest {
  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @Test
  void processesThatAreKilledAtRandomNeverHoldTheLockTogether() {
    ContentionResult result =
        ProcessContention.on(server.uri()).processes(4).acquisitions(3000).kills(5).run();

    result.history().check();
    assertThat(result.acquisitions()).isGreaterThanOrEqualTo(3000);
    assertThat(result.kills()).isEqualTo(5);
  }

  @Test
  void aStoreThatIgnoresTheHolderIsCaught() {
    ContentionResult result =
        ProcessContention.on(server.uri())
            .acquisitions(200)
            .decoratedBy(IgnoresTheHolder.class)
            .run();

    assertThatThrownBy(result.history()::check).isInstanceOf(AssertionError.class);
  }

  /** Grants a lock that another client holds, with fences in order, so that only holds tell. */
  static final class IgnoresTheHolder implements UnaryOperator<OperationExecutor> {

    @Override
    public OperationExecutor apply(OperationExecutor store) {
      return Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) ->
                  next.execute(acquire, call).thenApply(attempt -> granted(acquire.ttl())))
          .apply(store);
    }

    private static AcquireAttempt granted(Duration ttl) {
      Fence fence = Fence.of(TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
      return new Granted(fence, Instant.now().plus(ttl));
    }
  }
}
