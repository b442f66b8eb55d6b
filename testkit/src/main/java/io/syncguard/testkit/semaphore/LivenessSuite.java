package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.semaphore.GrantLease;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.fault.Interception;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The dead lose their slots and their places; the living keep them. */
public interface LivenessSuite extends SemaphoreSuite {

  @Test
  default void aDeadHoldersSlotGoesToTheNextInTheQueue() throws Exception {
    String name = newName();
    FaultyClient dying = openFaulty();
    take(dying.guard().semaphore(name, 1, MORTAL));
    dying.faults().cutOff();
    CompletableFuture<Permit> next =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    fixture().passTime(UNTIL_DEAD);
    next.join().close();
    assertThat(acquired(name)).isZero();
  }

  @Test
  default void aDeadHoldersSlotIsFreeForWhoeverComes() throws Exception {
    String name = newName();
    FaultyClient dying = openFaulty();
    take(dying.guard().semaphore(name, 1, MORTAL));
    dying.faults().cutOff();
    fixture().passTime(UNTIL_DEAD);
    take(guard().semaphore(name, 1)).close();
  }

  @Test
  default void aDeadWaiterIsSkipped() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    FaultyClient dying = openFaulty();
    CompletableFuture<Permit> dead =
        CompletableFuture.supplyAsync(
            () -> dying.guard().semaphore(name, 1, MORTAL).acquire(PATIENCE));
    untilWaiting(name, 1);
    dying.faults().cutOff();
    CompletableFuture<Permit> living =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    fixture().passTime(UNTIL_DEAD);
    held.close();
    living.join().close();
    assertThat(dead).isNotDone();
  }

  @Test
  default void aWaiterThatDiedAfterItsGrantIsSkipped() throws Exception {
    String name = newName();
    PermitReference holder = newPermit(name);
    PermitReference dead = newPermit(name);
    attempt(holder, 1, true);
    attempt(dead, 1, true);
    CompletableFuture<Permit> next =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 2);
    release(holder);
    assertThat(next).isNotDone();

    fixture().passTime(GrantLease.LONGEST.plus(UNTIL_DEAD));

    next.join().close();
    assertThat(release(dead)).isEqualTo(PermitReleaseResult.NOT_FOUND);
  }

  @Test
  default void aPausedHolderLearnsThatItLostItsPermit() throws Exception {
    String name = newName();
    FaultyClient paused = openFaulty();
    AtomicInteger losses = new AtomicInteger();
    Permit lost = take(paused.guard().semaphore(name, 1, MORTAL));
    lost.onLost(losses::incrementAndGet);
    paused.faults().cutOff();
    fixture().passTime(UNTIL_DEAD);
    Permit next = take(guard().semaphore(name, 1));
    paused.faults().reconnect();

    eventually(() -> assertThat(losses).hasValue(1));
    assertThat(lost.isHeld()).isFalse();
    lost.onLost(losses::incrementAndGet);
    eventually(() -> assertThat(losses).hasValue(2));
    assertThat(lost.release()).isEqualTo(PermitReleaseResult.NOT_FOUND);
    assertThat(next.isHeld()).isTrue();
    assertThat(acquired(name)).isEqualTo(1);
  }

  @Test
  default void aPermitThatTheStoreForgotIsLost() throws Exception {
    String name = newName();
    List<Runnable> forgetting = new CopyOnWriteArrayList<>();
    SyncGuard client =
        open(
            guardOptions(),
            Interception.on(
                SemaphoreOperation.Acquire.class,
                (acquire, call, next) -> {
                  forgetting.add(() -> ask(next, new SemaphoreOperation.Release(acquire.permit())));
                  return next.execute(acquire, call);
                }));
    AtomicInteger losses = new AtomicInteger();
    SemaphoreOptions options = SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(1));
    Permit permit = take(client.semaphore(name, 1, options));
    permit.onLost(losses::incrementAndGet);
    forgetting.get(0).run();

    fixture().passTime(Duration.ofSeconds(1));

    eventually(() -> assertThat(losses).hasValue(1));
    assertThat(permit.isHeld()).isFalse();
  }

  @Test
  default void heartbeatsKeepHoldersAndWaitersAlive() throws Exception {
    String name = newName();
    SemaphoreOptions options = SemaphoreOptions.defaults().withHeartbeat(Duration.ofMillis(500));
    Permit held = take(guard().semaphore(name, 1, options));
    CompletableFuture<Permit> waiter =
        otherGuard().semaphore(name, 1, options).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);
    for (int i = 0; i < 8; i++) {
      fixture().passTime(Duration.ofMillis(500));
      assertThat(acquired(name)).isEqualTo(1);
      assertThat(waiting(name)).isEqualTo(1);
    }
    assertThat(held.isHeld()).isTrue();
    assertThat(held.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(waiter.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  default void heartbeatsOfManyPermitsAreSentTogether() throws Exception {
    String name = newName();
    FaultyClient client = openFaulty();
    SemaphoreOptions options = SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(1));
    for (int i = 0; i < 100; i++) {
      take(client.guard().semaphore(name, 100, options));
    }
    int before = client.faults().operations(SemaphoreOperation.Ping.class);
    fixture().passTime(Duration.ofSeconds(1));
    eventually(
        () ->
            assertThat(client.faults().operations(SemaphoreOperation.Ping.class))
                .isGreaterThan(before));
    assertThat(client.faults().operations(SemaphoreOperation.Ping.class) - before).isLessThan(10);
    assertThat(acquired(name)).isEqualTo(100);
  }

  @Test
  default void aPermitIsNotHeldBeyondItsTtlWhateverTheHeartbeats() throws Exception {
    String name = newName();
    SemaphoreOptions options = SemaphoreOptions.defaults().withTtl(Duration.ofSeconds(1));
    AtomicInteger losses = new AtomicInteger();
    Permit permit = take(guard().semaphore(name, 1, options)).onLost(losses::incrementAndGet);
    fixture().passTime(Duration.ofMillis(1100));
    assertThat(permit.isHeld()).isFalse();
    eventually(() -> assertThat(losses).hasValue(1));
    take(otherGuard().semaphore(name, 1)).close();
  }

  @Test
  default void aLateReleaseDoesNotFreeAnothersSlot() throws Exception {
    String name = newName();
    SemaphoreOptions options = SemaphoreOptions.defaults().withTtl(Duration.ofSeconds(1));
    Permit late = take(guard().semaphore(name, 1, options));
    fixture().passTime(Duration.ofMillis(1100));
    Permit next = take(otherGuard().semaphore(name, 1));
    assertThat(late.release()).isEqualTo(PermitReleaseResult.NOT_FOUND);
    assertThat(acquired(name)).isEqualTo(1);
    assertThat(next.isHeld()).isTrue();
  }

  @Test
  default void aHeartbeatDoesNotBringTheDeadBack() throws Exception {
    String name = newName();
    PermitReference dead = newPermit(name);
    Duration brief = Duration.ofMillis(100);
    ask(bareStore(), new SemaphoreOperation.Acquire(dead, 1, LONG, brief, true, false));
    fixture().passTime(Duration.ofMillis(200));
    assertThat(ping(dead.name(), List.of(dead.id()))).containsExactly(PermitState.GONE);
    take(guard().semaphore(name, 1)).close();
  }
}
