package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.fault.Interception;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A store that breaks one promise fails the contract, in the tests that are about that promise. */
class MutantsAreCaughtTest {

  @Test
  void aReleaseThatDoesNotCheckOwnership() {
    assertFails(ReleasesAnyHolder.class, "aLateReleaseDoesNotFreeTheNextHoldersLock");
  }

  @Test
  void anAcquireThatIgnoresTheTolerance() {
    assertFails(HasNoTolerance.class, "withinTheToleranceALockIsStillHeld");
  }

  @Test
  void aToleranceThatIsAHundredthShorterOrLonger() {
    assertFails(EndsTheToleranceEarly.class, "theToleranceIsASecondInEveryOperation");
    assertFails(HoldsOnTooLong.class, "theToleranceIsASecondInEveryOperation");
    assertFails(TellsAWaiterToSleepTooLong.class, "theTimeThatAHolderHasLeftIncludesTheTolerance");
  }

  @Test
  void aFenceThatDoesNotIncrease() {
    assertFails(RepeatsFences.class, "fencesIncreaseWithEveryAcquisition");
    assertFails(RepeatsFences.class, "nobodyHoldsALockThatAnotherHolds");
  }

  @Test
  void anExtensionThatBringsALockBack() {
    assertFails(Resurrects.class, "anExpiredLockIsNotBroughtBackByAnExtension");
  }

  @Test
  void aReleaseThatSucceedsTwice() {
    assertFails(ReleasesTwice.class, "ofManyReleasesOneSucceeds");
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

  static class ReleasesAnyHolder extends Mutant {

    ReleasesAnyHolder() {
      super(bug());
    }

    private static Interception bug() {
      Map<LockId, ResourceKey> keys = new ConcurrentHashMap<>();
      return Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) -> {
                keys.put(acquire.lockId(), acquire.key());
                return next.execute(acquire, call);
              })
          .andOn(
              LockOperation.Release.class,
              (release, call, next) -> {
                ResourceKey key = keys.get(release.lock().lockId());
                if (key == null) {
                  return next.execute(release, call);
                }
                return ask(next, new LockOperation.FindByKey(key))
                    .map(held -> new LockReference(held.lockId(), key))
                    .map(held -> next.execute(new LockOperation.Release(held), call))
                    .orElse(CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND));
              });
    }
  }

  static class HasNoTolerance extends TakesOverTooSoon {
    HasNoTolerance() {
      super(Duration.ofMillis(Liveness.TOLERANCE_MS));
    }
  }

  static class EndsTheToleranceEarly extends TakesOverTooSoon {
    EndsTheToleranceEarly() {
      super(Duration.ofMillis(10));
    }
  }

  abstract static class TakesOverTooSoon extends Mutant {

    TakesOverTooSoon(Duration tooSoon) {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) -> {
                if (ask(next, acquire) instanceof AcquireAttempt.Held held
                    && held.remaining().compareTo(tooSoon) <= 0) {
                  ask(next, new LockOperation.FindByKey(acquire.key()))
                      .map(late -> new LockReference(late.lockId(), null))
                      .ifPresent(late -> ask(next, new LockOperation.Release(late)));
                }
                return next.execute(acquire, call);
              }));
    }
  }

  static class HoldsOnTooLong extends Mutant {

    HoldsOnTooLong() {
      super(bug());
    }

    /** Six times 2 ms in that suite. */
    private static Interception bug() {
      Map<ResourceKey, Integer> deadFor = new ConcurrentHashMap<>();
      return Interception.on(
          LockOperation.IsLocked.class,
          (question, call, next) ->
              next.execute(question, call)
                  .thenApply(yes -> yes || deadFor.merge(question.key(), 1, Integer::sum) < 6));
    }
  }

  static class TellsAWaiterToSleepTooLong extends Mutant {
    TellsAWaiterToSleepTooLong() {
      super(
          Interception.on(
              LockOperation.Acquire.class,
              (acquire, call, next) ->
                  next.execute(acquire, call)
                      .thenApply(
                          attempt ->
                              attempt instanceof AcquireAttempt.Held held
                                  ? new AcquireAttempt.Held(held.remaining().plusMillis(10))
                                  : attempt)));
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
                          attempt ->
                              attempt instanceof AcquireAttempt.Granted granted
                                  ? new AcquireAttempt.Granted(Fence.of(1), granted.expiresAt())
                                  : new AcquireAttempt.Held(Duration.ofMillis(1)))));
    }
  }

  static class Resurrects extends Mutant {
    Resurrects() {
      super(
          Interception.on(
              LockOperation.Extend.class,
              (extend, call, next) ->
                  next.execute(extend, call)
                      .thenApply(
                          result ->
                              result == ExtendResult.NotExtended.EXPIRED
                                  ? new ExtendResult.Extended(Instant.now().plus(extend.ttl()))
                                  : result)));
    }
  }

  static class ReleasesTwice extends Mutant {
    ReleasesTwice() {
      super(
          Interception.on(
              LockOperation.Release.class,
              (release, call, next) ->
                  next.execute(release, call).thenApply(result -> ReleaseResult.RELEASED)));
    }
  }
}
