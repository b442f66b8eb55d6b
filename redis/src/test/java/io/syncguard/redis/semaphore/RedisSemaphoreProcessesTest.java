package io.syncguard.redis.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.SemaphoreProcessContract;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.history.HandOffHistory.Findings;
import io.syncguard.testkit.process.ProcessHandOffs;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

  private Findings findings(Class<? extends UnaryOperator<OperationExecutor>> planted) {
    return ProcessHandOffs.on(uri())
        .processes(1)
        .limit(1)
        .handOffs(200)
        .decoratedBy(planted)
        .run()
        .history()
        .findings();
  }

  static final class OneSlotTooMany implements UnaryOperator<OperationExecutor> {

    @Override
    public OperationExecutor apply(OperationExecutor store) {
      return Interception.on(
              SemaphoreOperation.Acquire.class,
              (acquire, call, next) -> next.execute(withOneMore(acquire), call))
          .apply(store);
    }

    private static SemaphoreOperation.Acquire withOneMore(SemaphoreOperation.Acquire acquire) {
      return new SemaphoreOperation.Acquire(
          acquire.permit(),
          acquire.limit() + 1,
          acquire.ttl(),
          acquire.heartbeatTimeout(),
          acquire.waits(),
          acquire.watched());
    }
  }

  /** A client that joins sends the last of its process that did, if it still waits, to the end. */
  static final class LosesPlaces implements UnaryOperator<OperationExecutor> {

    private CompletionStage<?> turn = CompletableFuture.completedFuture(null);
    private SemaphoreOperation.@Nullable Acquire last;

    @Override
    public OperationExecutor apply(OperationExecutor store) {
      return Interception.on(SemaphoreOperation.Acquire.class, this::inTurn)
          .andOn(SemaphoreOperation.Release.class, this::release)
          .apply(store);
    }

    /** One after another, without blocking: a waiter may ask in the thread that answers. */
    private synchronized CompletionStage<PermitAttempt> inTurn(
        SemaphoreOperation.Acquire acquire, Call call, OperationExecutor next) {
      CompletionStage<PermitAttempt> answer =
          turn.handle((before, failure) -> acquire)
              .thenCompose(asked -> next.execute(asked, call))
              .thenCompose(attempt -> answered(attempt, acquire, call, next));
      turn = answer;
      return answer;
    }

    private synchronized CompletionStage<PermitAttempt> answered(
        PermitAttempt attempt,
        SemaphoreOperation.Acquire acquire,
        Call call,
        OperationExecutor next) {
      SemaphoreOperation.Acquire unlucky = last;
      boolean another = unlucky != null && !unlucky.permit().equals(acquire.permit());
      if (attempt instanceof PermitAttempt.Waiting) {
        last = acquire;
        if (another) {
          return next.execute(withoutWaiting(unlucky), call)
              .thenCompose(
                  left ->
                      left instanceof PermitAttempt.Busy
                          ? next.execute(unlucky, call)
                          : CompletableFuture.completedFuture(left))
              .thenApply(again -> attempt);
        }
      } else if (!another) {
        last = null;
      }
      return CompletableFuture.completedFuture(attempt);
    }

    /** Leaves the queue; but one that has been granted a slot keeps it. */
    private static SemaphoreOperation.Acquire withoutWaiting(SemaphoreOperation.Acquire acquire) {
      return new SemaphoreOperation.Acquire(
          acquire.permit(),
          acquire.limit(),
          acquire.ttl(),
          acquire.heartbeatTimeout(),
          false,
          acquire.watched());
    }

    private synchronized CompletionStage<PermitReleaseResult> release(
        SemaphoreOperation.Release release, Call call, OperationExecutor next) {
      if (last != null && last.permit().equals(release.permit())) {
        last = null;
      }
      return next.execute(release, call);
    }
  }
}
