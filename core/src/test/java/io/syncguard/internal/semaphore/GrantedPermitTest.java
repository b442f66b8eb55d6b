package io.syncguard.internal.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CapturedLog;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.Operation;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A slot that a store keeps for a while, and confirms later. */
class GrantedPermitTest {

  private static final Duration KEPT = Duration.ofMinutes(5);

  /** The store in memory knows nothing of the permit, so no heartbeat must ask it by chance. */
  private static final SemaphoreOptions RARELY_BEATING =
      SemaphoreOptions.defaults()
          .withHeartbeat(Duration.ofMinutes(10))
          .withTtl(Duration.ofHours(5));

  /** How far time has skipped, in nanoseconds. */
  private final AtomicLong ahead = new AtomicLong();

  private final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
  private final CountDownLatch lost = new CountDownLatch(1);
  private final SyncGuard guard =
      SyncGuard.over(
          new AnsweringStore(TimeSource.system(), this::granted),
          GuardOptions.defaults().withTimeSource(skippingTime()));

  @AfterEach
  void close() {
    guard.close();
  }

  private TimeSource skippingTime() {
    TimeSource real = TimeSource.system();
    return (TimeSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TimeSource.class},
            (proxy, method, arguments) ->
                method.getName().equals("nanoTime")
                    ? real.nanoTime() + ahead.get()
                    : method.invoke(real, arguments));
  }

  private @Nullable CompletionStage<?> granted(Operation<?> operation) {
    if (!(operation instanceof SemaphoreOperation.Acquire acquire)) {
      return null;
    }
    return CompletableFuture.completedFuture(
        new PermitAttempt.Held(
            1,
            Instant.now().plus(acquire.ttl()),
            Duration.ZERO,
            Optional.of(new PermitAttempt.Grant(KEPT, confirmed))));
  }

  private Permit acquired() {
    return guard.semaphore("slots", 1, RARELY_BEATING).acquire().onLost(lost::countDown);
  }

  private void pass(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  @Test
  void itIsHeldForAsLongAsItIsKept() {
    Permit permit = acquired();
    assertThat(permit.isHeld()).isTrue();
    pass(KEPT);
    assertThat(permit.isHeld()).isFalse();
  }

  @Test
  void onceItIsConfirmedItIsHeldForLonger() {
    Permit permit = acquired();
    confirmed.complete(true);
    pass(KEPT);
    assertThat(permit.isHeld()).isTrue();
    pass(RARELY_BEATING.heartbeatTimeout());
    assertThat(permit.isHeld()).isFalse();
  }

  @Test
  void ifItIsNotConfirmedItIsLost() throws Exception {
    Permit permit = acquired();
    confirmed.complete(false);
    assertThat(permit.isHeld()).isFalse();
    assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLossIsLoggedIfThereIsNoListenerToTell() throws Exception {
    String name = "patient:4711";
    try (CapturedLog log = CapturedLog.open()) {
      Permit permit = guard.semaphore(name, 1, RARELY_BEATING).acquire();
      confirmed.complete(false);
      assertThat(log.text()).contains("A permit was lost", permit.toString()).doesNotContain(name);
    }
  }

  @Test
  void aLossThatAListenerIsToldOfIsNotLogged() throws Exception {
    try (CapturedLog log = CapturedLog.open()) {
      Permit permit = acquired();
      confirmed.complete(false);
      assertThat(permit.isHeld()).isFalse();
      assertThat(log.text()).doesNotContain("lost");
    }
  }

  @Test
  void ifItIsNotKnownWhetherItIsConfirmedAHeartbeatAsksAtOnce() throws Exception {
    Permit permit = acquired();
    confirmed.completeExceptionally(new IllegalStateException("no answer"));
    assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(permit.isHeld()).isFalse();
  }
}
