package io.syncguard.internal.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.CapturedLog;
import io.syncguard.GuardOptions;
import io.syncguard.internal.GuardContext;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  private final CompletableFuture<PermitState> confirmed = new CompletableFuture<>();
  private final CountDownLatch lost = new CountDownLatch(1);
  private final AnsweringStore store =
      new AnsweringStore(
          TimeSource.system(),
          operation -> operation instanceof SemaphoreOperation.Confirm ? confirmed : null);
  private final TimeSource time = skippingTime();
  private final SemaphoreEngine engine =
      new SemaphoreEngine(new GuardContext(store, GuardOptions.defaults().withTimeSource(time)));

  @AfterEach
  void close() {
    engine.close();
    store.close();
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

  private Permit granted(String name) {
    return engine.permitKeptUntil(
        time.nanoTime() + KEPT.toNanos(),
        new PermitReference(ResourceKey.of(name), PermitId.random()),
        RARELY_BEATING,
        new PermitAttempt.Held(1, Instant.now().plus(RARELY_BEATING.ttl())));
  }

  private Permit acquired() {
    return granted("slots").onLost(lost::countDown);
  }

  /** What is answered from now on is dealt with in the thread that answers. */
  private void untilConfirmationIsAsked() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (confirmed.getNumberOfDependents() == 0 && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
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
  void onceItIsConfirmedItIsHeldForLonger() throws Exception {
    Permit permit = acquired();
    untilConfirmationIsAsked();
    confirmed.complete(PermitState.HOLDING);
    pass(KEPT);
    assertThat(permit.isHeld()).isTrue();
    pass(RARELY_BEATING.heartbeatTimeout());
    assertThat(permit.isHeld()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HOLDING")
  void ifItIsNotConfirmedItIsLost(PermitState instead) throws Exception {
    Permit permit = acquired();
    confirmed.complete(instead);
    assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(permit.isHeld()).isFalse();
  }

  @Test
  void aLossIsLoggedIfThereIsNoListenerToTell() throws Exception {
    String name = "patient:4711";
    try (CapturedLog log = CapturedLog.open()) {
      Permit permit = granted(name);
      untilConfirmationIsAsked();
      confirmed.complete(PermitState.GONE);
      assertThat(log.text()).contains("A permit was lost", permit.toString()).doesNotContain(name);
    }
  }

  @Test
  void aLossThatAListenerIsToldOfIsNotLogged() throws Exception {
    try (CapturedLog log = CapturedLog.open()) {
      Permit permit = acquired();
      untilConfirmationIsAsked();
      confirmed.complete(PermitState.GONE);
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

  @Test
  void aGrantIsKeptForNoLongerThanItsWaiterCountsAsAlive() {
    SemaphoreOptions brief = SemaphoreOptions.defaults().withHeartbeat(Duration.ofMillis(300));
    Terms terms = new Terms(ResourceKey.of("slots"), 1, brief);
    PermitWait wait = new PermitWait(engine, terms, Duration.ZERO, CancelSignal.never());
    assertThat(wait.grantNanos()).isEqualTo(brief.heartbeatTimeout().toNanos());
  }
}
