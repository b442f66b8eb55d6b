package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.fault.Interception;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A queue that breaks one promise fails the contract, in the tests that are about that promise. */
class LockQueueMutantsAreCaughtTest {

  @Test
  void anAttemptThatOvertakes() {
    assertFails(Overtakes.class, "neitherAnAttemptNorANewcomerOvertakesWaiters");
  }

  @Test
  void aGrantThatIsLost() {
    assertFails(LosesGrants.class, "aReleaseGrantsToTheFirstInTheSameStep");
    assertFails(LosesGrants.class, "waitersThatComeAtTheSameTimeHaveAnOrderToo");
  }

  @Test
  void aGrantWithAnOldFence() {
    assertFails(RepeatsFences.class, "fencesIncreaseInTheOrderOfGrants");
    assertFails(RepeatsFences.class, "aGrantIsConfirmedByAskingAgain");
  }

  @Test
  void aGrantThatNeverEnds() {
    assertFails(GrantsForGood.class, "aReleaseGrantsToTheFirstInTheSameStep");
    assertFails(GrantsForGood.class, "aGrantThatIsNotConfirmedEndsAndTheNextIsServed");
  }

  @Test
  void aGrantThatIsNotConfirmedByAskingAgain() {
    assertFails(ForgetsToConfirm.class, "aGrantIsConfirmedByAskingAgain");
  }

  @Test
  void aPlaceThatIsKeptAfterLeaving() {
    assertFails(KeepsPlaces.class, "aPlaceIsGivenUpByARelease");
    assertFails(KeepsPlaces.class, "aCancelledWaiterLeavesTheQueueOfALock");
    assertFails(KeepsPlaces.class, "aGuardThatIsClosedLeavesNoWaiterBehind");
  }

  @Test
  void aPlaceThatIsKeptByACallerThatDoesNotWait() {
    assertFails(AlwaysQueues.class, "whoDoesNotWaitAnyMoreHasNoPlace");
    assertFails(AlwaysQueues.class, "neitherAnAttemptNorANewcomerOvertakesWaiters");
  }

  @Test
  void aWaiterThatLosesItsPlaceByAskingAgain() {
    assertFails(LosesPlaces.class, "aPlaceIsKeptHoweverOftenItsWaiterAsks");
    assertFails(LosesPlaces.class, "aLostReplyToJoiningCostsNoPlace");
  }

  @Test
  void aWaiterThatNeverDies() {
    assertFails(KeepsTheDead.class, "aLockIsFreeForANewcomerIfAllWhoWaitAreDead");
  }

  @Test
  void aSignOfLifeThatGrantsNothing() {
    assertFails(OnlyLives.class, "aSignOfLifeGrantsWhatAnExpiredHolderLeaves");
    assertFails(OnlyLives.class, "aGrantThatIsNotConfirmedEndsAndTheNextIsServed");
  }

  @Test
  void aQueueOutOfOrder() {
    assertFails(LosesAPlace.class, "waitersThatComeAtTheSameTimeHaveAnOrderToo");
    assertFails(LosesAPlace.class, "aLockIsHandedOverInOrder");
  }

  private static void assertFails(Class<? extends LockContract> mutant, String test) {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(mutant, test))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.started(1).failed(1));
  }

  /** The in-memory store with a bug; as a nested class it is run by the tests above only. */
  abstract static class Mutant extends LockContract {

    private final UnaryOperator<OperationExecutor> bug;

    Mutant(UnaryOperator<OperationExecutor> bug) {
      this.bug = bug;
    }

    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(bug);
    }
  }

  /** Returns the lock on the key if that is a grant which is not confirmed. */
  private static Optional<LockReference> unconfirmed(OperationExecutor store, ResourceKey key) {
    return ask(store, new LockOperation.FindByKey(key))
        .filter(LockQueueMutantsAreCaughtTest::isUnconfirmed)
        .map(grant -> new LockReference(grant.lockId(), key));
  }

  private static boolean isUnconfirmed(RawLockInfo lock) {
    return QueueTimes.isUnconfirmed(
        lock.acquiredAt().toEpochMilli(), lock.expiresAt().toEpochMilli());
  }

  private interface GrantChange {
    void take(LockReference grant, OperationExecutor store);
  }

  /** Does something to each grant that a release has made. */
  private static Interception afterEachGrant(GrantChange change) {
    return Interception.on(
        LockOperation.Release.class,
        (release, call, next) -> {
          CompletionStage<ReleaseResult> answer = next.execute(release, call);
          ResourceKey key = release.lock().key();
          if (key != null) {
            unconfirmed(next, key).ifPresent(grant -> change.take(grant, next));
          }
          return answer;
        });
  }

  private static boolean isOwnedBy(OperationExecutor store, LockReference lock) {
    return ask(store, new LockOperation.FindById(lock.lockId())).isPresent();
  }

  private static LockReference reference(LockOperation.Acquire acquire) {
    return new LockReference(acquire.lockId(), acquire.key());
  }

  static class Overtakes extends Mutant {
    Overtakes() {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) -> {
                if (ask(next, acquire) instanceof AcquireAttempt.Held) {
                  unconfirmed(next, acquire.key())
                      .ifPresent(grant -> ask(next, new LockOperation.Release(grant)));
                }
                return next.execute(acquire, call);
              }));
    }
  }

  static class LosesGrants extends Mutant {
    LosesGrants() {
      super(afterEachGrant((grant, store) -> ask(store, new LockOperation.Release(grant))));
    }
  }

  static class GrantsForGood extends Mutant {
    GrantsForGood() {
      super(
          afterEachGrant(
              (grant, store) -> ask(store, new LockOperation.Extend(grant, StoreSuite.LONG))));
    }
  }

  static class RepeatsFences extends Mutant {
    RepeatsFences() {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) ->
                  next.execute(acquire, call)
                      .thenApply(
                          answer ->
                              answer instanceof AcquireAttempt.Granted granted
                                  ? new AcquireAttempt.Granted(Fence.of(1), granted.expiresAt())
                                  : answer)));
    }
  }

  static class ForgetsToConfirm extends Mutant {
    ForgetsToConfirm() {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) ->
                  ask(next, new LockOperation.FindById(acquire.lockId()))
                      .filter(LockQueueMutantsAreCaughtTest::isUnconfirmed)
                      .<CompletionStage<AcquireAttempt>>map(
                          grant ->
                              completedFuture(
                                  new AcquireAttempt.Granted(grant.fence(), grant.expiresAt())))
                      .orElseGet(() -> next.execute(acquire, call))));
    }
  }

  static class KeepsPlaces extends Mutant {
    KeepsPlaces() {
      super(
          Interception.on(
              LockOperation.Release.class,
              (release, call, next) ->
                  isOwnedBy(next, release.lock())
                      ? next.execute(release, call)
                      : completedFuture(ReleaseResult.RELEASED)));
    }
  }

  static class AlwaysQueues extends Mutant {
    AlwaysQueues() {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) ->
                  next.execute(
                          new LockOperation.Acquire(
                              acquire.key(), acquire.lockId(), acquire.ttl(), true),
                          call)
                      .thenApply(
                          answer ->
                              answer instanceof AcquireAttempt.Queued queued && !acquire.waits()
                                  ? new AcquireAttempt.Held(queued.remaining())
                                  : answer)));
    }
  }

  static class LosesPlaces extends Mutant {
    LosesPlaces() {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) -> {
                if (!isOwnedBy(next, reference(acquire))) {
                  ask(next, new LockOperation.Release(reference(acquire)));
                }
                return next.execute(acquire, call);
              }));
    }
  }

  static class KeepsTheDead extends Mutant {
    KeepsTheDead() {
      super(
          Interception.on(
              LockOperation.Release.class,
              (release, call, next) -> {
                ask(next, new LockOperation.KeepWaiting(List.of()));
                return next.execute(release, call);
              }));
    }
  }

  static class OnlyLives extends Mutant {
    OnlyLives() {
      super(
          Interception.on(
              LockOperation.KeepWaiting.class,
              (signOfLife, call, next) ->
                  next.execute(new LockOperation.KeepWaiting(List.of()), call)
                      .thenApply(
                          none -> Collections.nCopies(signOfLife.ids(), PlaceState.WAITING))));
    }
  }

  static class LosesAPlace extends Mutant {
    LosesAPlace() {
      super(new LostPlace());
    }
  }

  /** The first release that finds three waiters sends the first of them to the queue's end. */
  private static final class LostPlace implements UnaryOperator<OperationExecutor> {
    private static final int QUEUE = 3;

    private final Map<LockId, LockOperation.Acquire> asked = new LinkedHashMap<>();
    private boolean lost;

    @Override
    public OperationExecutor apply(OperationExecutor next) {
      return Interception.on(LockOperation.Acquire.class, this::acquire)
          .andOn(LockOperation.Release.class, this::release)
          .apply(next);
    }

    private synchronized CompletionStage<AcquireAttempt> acquire(
        LockOperation.Acquire acquire, Call call, OperationExecutor next) {
      asked.put(acquire.lockId(), acquire);
      return next.execute(acquire, call);
    }

    private synchronized CompletionStage<ReleaseResult> release(
        LockOperation.Release release, Call call, OperationExecutor next) {
      asked.remove(release.lock().lockId());
      List<LockOperation.Acquire> waiting =
          lost ? List.of() : asked.values().stream().filter(one -> waits(one, next)).toList();
      if (waiting.size() >= QUEUE) {
        lost = true;
        ask(next, new LockOperation.Release(reference(waiting.get(0))));
        ask(next, waiting.get(0));
      }
      return next.execute(release, call);
    }

    private static boolean waits(LockOperation.Acquire acquire, OperationExecutor store) {
      LockOperation.KeepWaiting question =
          new LockOperation.KeepWaiting(List.of(reference(acquire)));
      return ask(store, question).contains(PlaceState.WAITING);
    }
  }
}
