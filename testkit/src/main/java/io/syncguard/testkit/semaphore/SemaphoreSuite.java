package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.FaultySemaphoreBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What the suites of semaphores have to work with. */
public interface SemaphoreSuite extends StoreSuite {

  /** How long a test waits for what must come. */
  Duration PATIENCE = Duration.ofSeconds(60);

  /** Who dies under these options is found out soon: 300 ms after its last heartbeat. */
  SemaphoreOptions MORTAL = SemaphoreOptions.defaults().withHeartbeat(Duration.ofMillis(100));

  /** The time after which somebody {@link #MORTAL} is surely dead, and those who wait know it. */
  Duration UNTIL_DEAD = Duration.ofSeconds(2);

  /** Returns the bare store of a further client. */
  SemaphoreBackend backend();

  /** Opens a further client with something between it and its semaphores, closed after the test. */
  default SyncGuard openWithSemaphores(
      GuardOptions options, UnaryOperator<SemaphoreBackend> decoration) {
    return open(options, store -> DecoratedStore.withSemaphores(store, decoration));
  }

  /** A client of the store under test that fails on request. */
  record FaultyClient(SyncGuard guard, FaultySemaphoreBackend store) {}

  /** Opens a further client that fails on request, closed after the test. */
  default FaultyClient openFaulty() {
    return openFaulty(guardOptions());
  }

  /** Opens a further client that fails on request, closed after the test. */
  default FaultyClient openFaulty(GuardOptions options) {
    List<FaultySemaphoreBackend> store = new ArrayList<>();
    SyncGuard guard =
        openWithSemaphores(
            options,
            backend -> {
              store.add(new FaultySemaphoreBackend(backend));
              return store.get(0);
            });
    guard.semaphores();
    return new FaultyClient(guard, store.get(0));
  }

  /** Blocks until so many are in the queue. */
  default void untilWaiting(String name, int count) throws InterruptedException {
    eventually(() -> assertThat(waiting(name)).isEqualTo(count));
  }

  /** Returns how many are in the queue. */
  default int waiting(String name) {
    return otherGuard().semaphores().stats(name).map(stats -> stats.waiting()).orElse(0);
  }

  /** Returns how many slots are taken. */
  default int acquired(String name) {
    return otherGuard().semaphores().stats(name).map(stats -> stats.acquired()).orElse(0);
  }

  /** Takes a permit that must be there. */
  static Permit take(FairSemaphore semaphore) {
    return semaphore
        .tryAcquire()
        .orElseThrow(() -> new AssertionError("There is no permit: " + semaphore.stats()));
  }

  /** Returns a permit that nobody has used yet. */
  static PermitReference newPermit(String name) {
    return new PermitReference(ResourceKey.of(name), PermitId.random());
  }

  /** Makes one attempt on the bare store, with a heartbeat and a lifetime that do not end. */
  default PermitAttempt attempt(PermitReference permit, int limit, boolean waits) {
    return backend()
        .acquire(new PermitRequest(permit, limit, LONG, LONG, waits, false), CancelSignal.never());
  }
}
