package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.Faults;
import java.time.Duration;
import java.util.List;

/** What the suites of semaphores have to work with. */
public interface SemaphoreSuite extends StoreSuite {

  /** How long a test waits for what must come. */
  Duration PATIENCE = Duration.ofSeconds(60);

  /** A client that dies under these options is found out soon: 300 ms after its last heartbeat. */
  SemaphoreOptions MORTAL = SemaphoreOptions.defaults().withHeartbeat(Duration.ofMillis(100));

  /** The time after which a {@link #MORTAL} client is surely dead, and the waiters know it. */
  Duration UNTIL_DEAD = Duration.ofSeconds(2);

  /** Returns the bare store of a further client. */
  Store bareStore();

  /** Opens a further client whose acquires and releases fail on request, closed after the test. */
  default FaultyClient openFaulty() {
    return openFaulty(guardOptions());
  }

  /** Opens a further client whose acquires and releases fail on request, closed after the test. */
  default FaultyClient openFaulty(GuardOptions options) {
    return openFaulty(
        options, Faults.on(SemaphoreOperation.Acquire.class, SemaphoreOperation.Release.class));
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

  /** Returns a permit that is new. */
  static PermitReference newPermit(String name) {
    return new PermitReference(ResourceKey.of(name), PermitId.random());
  }

  /** Makes one attempt on the bare store, with a heartbeat and a lifetime that do not end. */
  default PermitAttempt attempt(PermitReference permit, int limit, boolean waits) {
    return ask(
        bareStore(), new SemaphoreOperation.Acquire(permit, limit, LONG, LONG, waits, false));
  }

  /** Releases a permit, or ends its wait, on the bare store. */
  default PermitReleaseResult release(PermitReference permit) {
    return ask(bareStore(), new SemaphoreOperation.Release(permit));
  }

  /** Notes on the bare store that permits of one name are alive, for longer than a test lasts. */
  default List<PermitState> ping(ResourceKey name, List<PermitId> permits) {
    return ask(bareStore(), new SemaphoreOperation.Ping(name, permits, LONG));
  }
}
