package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.lock.LockSuite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A store that breaks one promise fails the contract, in the tests that are about that promise. */
class SemaphoreMutantsAreCaughtTest {

  @Test
  void oneSlotTooMany() {
    assertFails(GrantsOneTooMany.class, "asManyHoldPermitsAsTheLimitAllows");
    assertFails(GrantsOneTooMany.class, "aSingleSlotIsHandedOverInOrder");
    assertFails(GrantsOneTooMany.class, "severalSlotsAreHandedOverInOrder");
  }

  @Test
  void aWaiterThatLosesItsPlace() {
    assertFails(LosesAPlace.class, "aSingleSlotIsHandedOverInOrder");
    assertFails(LosesAPlace.class, "thoseWhoComeAtTheSameTimeHaveAnOrderToo");
  }

  @Test
  void aHeartbeatThatKnowsEverybody() {
    assertFails(KnowsEverybody.class, "aHeartbeatDoesNotBringTheDeadBack");
  }

  @Test
  void aReleaseThatAlwaysSucceeds() {
    assertFails(AlwaysReleases.class, "aLateReleaseDoesNotFreeAnothersSlot");
  }

  @Test
  void aLimitThatNobodyChecks() {
    assertFails(IgnoresOtherLimits.class, "anotherLimitForANameInUseIsAnError");
  }

  @Test
  void aRetryThatTakesAnotherSlot() {
    assertFails(ForgetsIds.class, "aLostReplyTakesOneSlotOnly");
  }

  private static void assertFails(Class<? extends SemaphoreContract> mutant, String test) {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(mutant, test))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.started(1).failed(1));
  }

  /** The in-memory store with a bug; as a nested class it is run by the tests above only. */
  abstract static class Mutant extends SemaphoreContract {

    private final UnaryOperator<OperationExecutor> bug;

    Mutant(UnaryOperator<OperationExecutor> bug) {
      this.bug = bug;
    }

    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(bug);
    }
  }

  private static SemaphoreOperation.Acquire with(
      SemaphoreOperation.Acquire acquire, PermitReference permit, int limit) {
    return new SemaphoreOperation.Acquire(
        permit,
        limit,
        acquire.ttl(),
        acquire.heartbeatTimeout(),
        acquire.waits(),
        acquire.watched());
  }

  static class GrantsOneTooMany extends Mutant {
    GrantsOneTooMany() {
      super(
          Interception.on(
              SemaphoreOperation.Acquire.class,
              (acquire, call, next) ->
                  next.execute(with(acquire, acquire.permit(), acquire.limit() + 1), call)));
    }
  }

  static class LosesAPlace extends Mutant {
    LosesAPlace() {
      super(new LostPlace());
    }
  }

  /** The first release is held up until some wait, and sends one of them to the queue's end. */
  private static final class LostPlace implements UnaryOperator<OperationExecutor> {
    private static final int QUEUE = 5;

    private final Map<PermitId, SemaphoreOperation.Acquire> waiting = new LinkedHashMap<>();
    private boolean lost;

    @Override
    public OperationExecutor apply(OperationExecutor next) {
      return Interception.on(SemaphoreOperation.Acquire.class, this::acquire)
          .andOn(SemaphoreOperation.Release.class, this::release)
          .apply(next);
    }

    private synchronized CompletionStage<PermitAttempt> acquire(
        SemaphoreOperation.Acquire acquire, Call call, OperationExecutor next) {
      CompletionStage<PermitAttempt> answer = next.execute(acquire, call);
      if (LockSuite.join(answer) instanceof PermitAttempt.Waiting) {
        waiting.put(acquire.permit().id(), acquire);
        notifyAll();
      } else {
        waiting.remove(acquire.permit().id());
      }
      return answer;
    }

    private synchronized CompletionStage<PermitReleaseResult> release(
        SemaphoreOperation.Release release, Call call, OperationExecutor next) {
      if (!lost) {
        awaitQueue();
        SemaphoreOperation.Acquire unlucky =
            waiting.values().stream().skip(QUEUE / 2).findFirst().orElseThrow();
        ask(next, new SemaphoreOperation.Release(unlucky.permit()));
        ask(next, unlucky);
        lost = true;
      }
      return next.execute(release, call);
    }

    private void awaitQueue() {
      try {
        while (waiting.size() < QUEUE) {
          wait();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static class KnowsEverybody extends Mutant {
    KnowsEverybody() {
      super(
          Interception.on(
              SemaphoreOperation.Ping.class,
              (ping, call, next) ->
                  next.execute(ping, call).thenApply(KnowsEverybody::withoutTheDead)));
    }

    private static List<PermitState> withoutTheDead(List<PermitState> states) {
      return states.stream()
          .map(state -> state == PermitState.GONE ? PermitState.HOLDING : state)
          .toList();
    }
  }

  static class AlwaysReleases extends Mutant {
    AlwaysReleases() {
      super(
          Interception.on(
              SemaphoreOperation.Release.class,
              (release, call, next) ->
                  next.execute(release, call).thenApply(result -> PermitReleaseResult.RELEASED)));
    }
  }

  static class IgnoresOtherLimits extends Mutant {

    IgnoresOtherLimits() {
      super(bug());
    }

    private static Interception bug() {
      Map<ResourceKey, Integer> limits = new ConcurrentHashMap<>();
      return Interception.on(
          SemaphoreOperation.Acquire.class,
          (acquire, call, next) -> {
            PermitReference permit = acquire.permit();
            int first = limits.computeIfAbsent(permit.name(), name -> acquire.limit());
            return next.execute(with(acquire, permit, first), call);
          });
    }
  }

  static class ForgetsIds extends Mutant {
    ForgetsIds() {
      super(
          Interception.on(
              SemaphoreOperation.Acquire.class,
              (acquire, call, next) -> {
                PermitReference another =
                    new PermitReference(acquire.permit().name(), PermitId.random());
                return next.execute(with(acquire, another, acquire.limit()), call);
              }));
    }
  }
}
