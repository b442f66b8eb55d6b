package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.testkit.SemaphoreProcessContract;
import io.syncguard.testkit.fault.DelegatingSemaphoreBackend;
import io.syncguard.testkit.history.SemaphoreHistory.Findings;
import io.syncguard.testkit.process.ProcessHandOffs;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several JVMs, one semaphore; and faults that such a run must find. */
class RedisSemaphoreProcessesTest extends SemaphoreProcessContract {
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
  protected void assertStoreIsEmpty() {
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aSlotTooManyIsFound() {
    assertThat(findings(OneSlotTooMany.class).overshoots()).isPositive();
  }

  @Test
  void aLostPlaceIsFound() {
    Findings findings = findings(LosesPlaces.class);
    assertThat(findings.inversions()).isPositive();
    assertThat(findings.overshoots()).isZero();
  }

  private Findings findings(Class<? extends UnaryOperator<SemaphoreBackend>> planted) {
    return ProcessHandOffs.on(uri())
        .processes(1)
        .limit(1)
        .handOffs(200)
        .decoratedBy(planted)
        .run()
        .history()
        .findings();
  }

  static final class OneSlotTooMany implements UnaryOperator<SemaphoreBackend> {

    @Override
    public SemaphoreBackend apply(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
          return super.acquire(
              new PermitRequest(
                  request.permit(),
                  request.limit() + 1,
                  request.ttl(),
                  request.heartbeatTimeout(),
                  request.waits(),
                  request.watched()),
              signal);
        }
      };
    }
  }

  /** Whoever joins sends the last one of its process who did, if it still waits, to the end. */
  static final class LosesPlaces implements UnaryOperator<SemaphoreBackend> {

    private @Nullable PermitRequest last;

    @Override
    public SemaphoreBackend apply(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public synchronized PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
          PermitAttempt attempt = super.acquire(request, signal);
          PermitRequest unlucky = last;
          boolean another = unlucky != null && !unlucky.permit().equals(request.permit());
          if (attempt instanceof PermitAttempt.Waiting) {
            last = request;
            if (another) {
              release(unlucky.permit(), Duration.ofSeconds(5));
              super.acquire(unlucky, signal);
            }
          } else if (!another) {
            last = null;
          }
          return attempt;
        }
      };
    }
  }
}
