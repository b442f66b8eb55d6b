package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.Primitive;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.ForwardingSemaphores;
import io.syncguard.testkit.fault.Interception;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Replies and hints that get lost, and a store that is away for a while. */
public interface LostReplySuite extends SemaphoreSuite {

  @Test
  default void aLostReplyTakesOneSlotOnly() {
    String name = newName();
    FaultyClient client = openFaulty();
    client.faults().loseReplies(2);
    Permit permit = client.guard().semaphore(name, 2).acquire(Duration.ofSeconds(5));
    assertThat(acquired(name)).isEqualTo(1);
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(acquired(name)).isZero();

    client.faults().loseReplies(1);
    join(client.guard().semaphore(name, 2).async().acquire()).close();
    assertThat(acquired(name)).isZero();
  }

  @Test
  default void aLostReplyCostsNoPlaceInTheQueue() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    FaultyClient client = openFaulty();
    client.faults().loseReplies(1);
    CompletableFuture<Permit> first =
        CompletableFuture.supplyAsync(() -> client.guard().semaphore(name, 1).acquire(PATIENCE));
    untilWaiting(name, 1);
    CompletableFuture<Permit> second =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 2);
    held.close();
    Permit next = first.join();
    assertThat(second).isNotDone();
    next.close();
    second.join().close();
  }

  @Test
  default void aLostReplyToAConfirmationIsNoLoss() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    FaultyClient client = openFaulty();
    CompletableFuture<Permit> waiter =
        CompletableFuture.supplyAsync(() -> client.guard().semaphore(name, 1).acquire(PATIENCE));
    untilWaiting(name, 1);
    client.faults().loseReplies(1);
    held.close();
    assertThat(waiter.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  default void anAttemptGivenUpInDoubtLeavesNothingBehind() throws Exception {
    String name = newName();
    FaultyClient client = openFaulty();
    FairSemaphore semaphore = client.guard().semaphore(name, 1);
    client.faults().loseReplies(1);
    assertThat(assertFails(Code.NETWORK_TIMEOUT, semaphore::tryAcquire).isOutcomeUnknown())
        .isTrue();
    eventually(() -> assertThat(acquired(name)).isZero());

    client.faults().loseReplies(1);
    assertFails(Code.NETWORK_TIMEOUT, () -> join(semaphore.async().tryAcquire()));
    eventually(() -> assertThat(acquired(name)).isZero());

    client.faults().loseReplies(1);
    assertFails(Code.NETWORK_TIMEOUT, () -> semaphore.acquire(Duration.ZERO));
    eventually(() -> assertThat(acquired(name)).isZero());
  }

  @Test
  default void aPermitThatComesWhenItsTimeIsOverIsGivenBack() throws Exception {
    MovableTime time = MovableTime.frozen();
    String name = newName();
    FairSemaphore slow =
        open(
                GuardOptions.defaults().withTimeSource(time),
                Interception.on(
                    SemaphoreOperation.Acquire.class,
                    (acquire, call, next) ->
                        next.execute(acquire, call)
                            .thenApply(
                                answer -> {
                                  time.advance(acquire.ttl());
                                  return answer;
                                })))
            .semaphore(name, 1);

    assertThat(assertFails(Code.NETWORK_TIMEOUT, slow::tryAcquire).isOutcomeUnknown()).isTrue();
    eventually(() -> assertThat(acquired(name)).isZero());

    assertFails(Code.NETWORK_TIMEOUT, () -> join(slow.async().tryAcquire()));
    eventually(() -> assertThat(acquired(name)).isZero());

    assertFails(Code.NETWORK_TIMEOUT, () -> slow.acquire(Duration.ZERO));
    eventually(() -> assertThat(acquired(name)).isZero());
  }

  @Test
  default void aReleaseWhoseReplyWasLostIsAskedForAgain() {
    String name = newName();
    FaultyClient client = openFaulty();
    Permit permit = take(client.guard().semaphore(name, 1));
    client.faults().loseReplies(1);
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
    Permit second = take(client.guard().semaphore(name, 1));
    client.faults().loseReplies(2);
    assertThat(join(second.releaseAsync())).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(acquired(name)).isZero();
  }

  @Test
  default void aLostHintCostsTimeButNoPermit() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    SyncGuard deaf =
        openOver(
            guardOptions(),
            store -> DecoratedStore.withSemaphores(store, LostReplySuite::losingHints));
    CompletableFuture<Permit> waiter =
        CompletableFuture.supplyAsync(() -> deaf.semaphore(name, 1).acquire(PATIENCE));
    untilWaiting(name, 1);
    held.close();
    fixture().passTime(UNTIL_DEAD);
    waiter.join().close();
    assertThat(acquired(name)).isZero();
  }

  private static SemaphoreBackend losingHints(SemaphoreBackend semaphores) {
    return new ForwardingSemaphores(semaphores) {
      @Override
      public Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
        return super.watch(waiter, WaiterHints.looking(() -> {}));
      }
    };
  }

  @Test
  default void aStoreThatIsAwayForAWhileIsAskedAgain() {
    String name = newName();
    FaultyClient client = openFaulty();
    client.faults().refuse(2);
    Permit permit = client.guard().semaphore(name, 1).acquire(PATIENCE);
    client.faults().refuse(2);
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  default void aStoreThatStaysAwayIsReportedAsSuch() {
    FaultyClient client = openFaulty();
    client.faults().cutOff();
    FairSemaphore semaphore = client.guard().semaphore(newName(), 1);
    Duration brief = Duration.ofMillis(20);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> semaphore.acquire(brief));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(semaphore.async().acquire(brief)));
    assertFails(Code.SERVICE_UNAVAILABLE, semaphore::tryAcquire);
  }

  @Test
  default void closingTellsTheHandlerWhatItCouldNotReleaseAndGoesOnTrying() throws Exception {
    List<SyncGuardException> errors = new CopyOnWriteArrayList<>();
    List<ReleaseErrorHandler.Failure> failures = new CopyOnWriteArrayList<>();
    FaultyClient client =
        openFaulty(
            guardOptions()
                .withDisposeTimeout(Duration.ofMillis(1))
                .withOnReleaseError(
                    (error, failure) -> {
                      errors.add(error);
                      failures.add(failure);
                      throw new IllegalStateException("a handler that fails");
                    }));
    String name = newName();
    Permit permit = take(client.guard().semaphore(name, 1));
    client.faults().refuse(2);

    permit.close();
    permit.close();

    assertThat(errors)
        .extracting(SyncGuardException::code)
        .containsExactly(Code.SERVICE_UNAVAILABLE);
    assertThat(failures)
        .extracting(ReleaseErrorHandler.Failure::source)
        .containsExactly(ReleaseErrorHandler.Source.CLOSE);
    Subject unreleased = failures.get(0).subject();
    assertThat(unreleased.primitive()).isEqualTo(Primitive.SEMAPHORE);
    assertThat(unreleased.name()).isEqualTo(name);
    assertThat(failures.get(0).toString()).doesNotContain(name);
    eventually(() -> assertThat(acquired(name)).isZero());
  }
}
