package io.syncguard.firestore;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.grpc.GrpcTransportOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.LockReference;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FirestoreStoreTest extends OnFirestore {

  @Test
  void aUriOpensIt() {
    try (SyncGuard guard = SyncGuard.open(FirestoreFixture.newProjectUri() + "&timeout=30s")) {
      assertThat(take(guard.locks(), "k", TTL).release()).isEqualTo(ReleaseResult.RELEASED);
    }
  }

  @Test
  void whatItDoesNotHaveItRefuses() {
    try (SyncGuard guard = SyncGuard.over(fixture.openClient())) {
      assertThat(assertFails(Code.INVALID_ARGUMENT, () -> guard.semaphore("s", 1)))
          .hasMessageContaining("not supported by this store");
      assertThat(assertFails(Code.INVALID_ARGUMENT, guard::secrets))
          .hasMessageContaining("not supported by this store");
      assertThat(assertFails(Code.INVALID_ARGUMENT, guard::counters))
          .hasMessageContaining("not supported by this store");
    }
  }

  @Test
  void aClientThatTheCallerHasStaysOpen() throws Exception {
    try (FirestoreStore over = FirestoreStore.over(firestore(), FirestoreFixture.PATIENT)) {
      assertThat(over.locks()).isSameAs(over.locks());
    }
    assertThat(ids("nothing")).isEmpty();
  }

  @Test
  void aStoreThatIsClosedIsUnavailable() {
    FirestoreStore closed = FirestoreStore.connect(FirestoreFixture.newProjectUri());
    closed.close();
    closed.close();
    assertUnavailable(closed);
  }

  private static void assertUnavailable(Store closed) {
    SyncGuardException failure =
        assertFails(Code.SERVICE_UNAVAILABLE, () -> acquire(closed, newKey(), LockId.random()));
    assertThat(failure.isOutcomeUnknown()).isFalse();
    closed
        .locks()
        .watch(
            new LockReference(LockId.random(), ResourceKey.of(newKey())),
            WaiterHints.looking(() -> {}))
        .ifPresent(Watch::close);
  }

  @Test
  void closingDoesNotWaitForWaitersButTellsThem() throws Exception {
    FirestoreStore closed = FirestoreStore.connect(FirestoreFixture.newProjectUri());
    Semaphore told = new Semaphore(0);
    Watch watch =
        closed
            .locks()
            .watch(
                new LockReference(LockId.random(), ResourceKey.of(newKey())),
                WaiterHints.looking(told::release))
            .orElseThrow();
    assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).as("listening to a free lock").isTrue();
    closed.close();
    assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    watch.close();
  }

  @Test
  void aWaiterCanLeaveAfterTheCallersClientWasClosed() {
    Firestore callers = clientWithThreadsOfItsOwn();
    FirestoreStore over = FirestoreStore.over(callers, FirestoreFixture.PATIENT);
    Watch watch =
        over.locks()
            .watch(
                new LockReference(LockId.random(), ResourceKey.of(newKey())),
                WaiterHints.looking(() -> {}))
            .orElseThrow();
    callers.shutdownNow();
    watch.close();
    assertUnavailable(over);
  }

  /** Threads that clients share go on as long as one is open. */
  private Firestore clientWithThreadsOfItsOwn() {
    GrpcTransportOptions.ExecutorFactory<ScheduledExecutorService> threads =
        new GrpcTransportOptions.ExecutorFactory<>() {
          @Override
          public ScheduledExecutorService get() {
            return Executors.newScheduledThreadPool(2);
          }

          @Override
          public void release(ScheduledExecutorService executor) {
            executor.shutdownNow();
          }
        };
    return firestore().getOptions().toBuilder()
        .setTransportOptions(GrpcTransportOptions.newBuilder().setExecutorFactory(threads).build())
        .build()
        .getService();
  }

  /** The store settles commits, but a listener's connection is made again by the client. */
  @Test
  void theClientRepeatsNothingByItselfAndListenersPause() {
    RetrySettings settings = firestore().getOptions().getRetrySettings();
    assertThat(settings.getMaxAttempts()).isEqualTo(1);
    assertThat(settings.getInitialRetryDelayDuration()).isPositive();
    assertThat(settings.getMaxRetryDelayDuration())
        .isGreaterThan(settings.getInitialRetryDelayDuration());
  }
}
