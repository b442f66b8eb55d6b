package io.syncguard.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.DelegatingSemaphoreBackend;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    abstract SemaphoreBackend plantBug(SemaphoreBackend backend);

    @Override
    protected StoreFixture openFixture() {
      MemoryFixture memory = new MemoryFixture();
      return new StoreFixture() {
        @Override
        public Store openClient() {
          return DecoratedStore.withSemaphores(memory.openClient(), Mutant.this::plantBug);
        }

        @Override
        public MovableTime time() {
          return memory.time();
        }

        @Override
        public void passTime(Duration duration) {
          memory.passTime(duration);
        }

        @Override
        public void close() {
          memory.close();
        }
      };
    }
  }

  private static PermitRequest with(PermitRequest request, PermitReference permit, int limit) {
    return new PermitRequest(
        permit,
        limit,
        request.ttl(),
        request.heartbeatTimeout(),
        request.waits(),
        request.watched());
  }

  static class GrantsOneTooMany extends Mutant {
    @Override
    SemaphoreBackend plantBug(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
          return super.acquire(with(request, request.permit(), request.limit() + 1), signal);
        }
      };
    }
  }

  /** The first release is held up until some wait, and sends one of them to the queue's end. */
  static class LosesAPlace extends Mutant {
    private static final int QUEUE = 5;

    private final Map<PermitId, PermitRequest> waiting = new LinkedHashMap<>();
    private boolean lost;

    @Override
    SemaphoreBackend plantBug(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
          synchronized (waiting) {
            PermitAttempt attempt = super.acquire(request, signal);
            if (attempt instanceof PermitAttempt.Waiting) {
              waiting.put(request.permit().id(), request);
              waiting.notifyAll();
            } else {
              waiting.remove(request.permit().id());
            }
            return attempt;
          }
        }

        @Override
        public PermitReleaseResult release(PermitReference permit, Duration timeout) {
          synchronized (waiting) {
            if (!lost) {
              awaitQueue();
              PermitRequest unlucky =
                  waiting.values().stream().skip(QUEUE / 2).findFirst().orElseThrow();
              super.release(unlucky.permit(), timeout);
              super.acquire(unlucky, CancelSignal.never());
              lost = true;
            }
            return super.release(permit, timeout);
          }
        }
      };
    }

    private void awaitQueue() {
      try {
        while (waiting.size() < QUEUE) {
          waiting.wait();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static class KnowsEverybody extends Mutant {
    @Override
    SemaphoreBackend plantBug(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public List<PermitState> ping(Heartbeat heartbeat) {
          return super.ping(heartbeat).stream()
              .map(state -> state == PermitState.GONE ? PermitState.HOLDING : state)
              .toList();
        }
      };
    }
  }

  static class AlwaysReleases extends Mutant {
    @Override
    SemaphoreBackend plantBug(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public PermitReleaseResult release(PermitReference permit, Duration timeout) {
          super.release(permit, timeout);
          return PermitReleaseResult.RELEASED;
        }
      };
    }
  }

  static class IgnoresOtherLimits extends Mutant {
    private final Map<ResourceKey, Integer> limits = new ConcurrentHashMap<>();

    @Override
    SemaphoreBackend plantBug(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
          int first = limits.computeIfAbsent(request.permit().name(), name -> request.limit());
          return super.acquire(with(request, request.permit(), first), signal);
        }
      };
    }
  }

  static class ForgetsIds extends Mutant {
    @Override
    SemaphoreBackend plantBug(SemaphoreBackend backend) {
      return new DelegatingSemaphoreBackend(backend) {
        @Override
        public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
          PermitReference another = new PermitReference(request.permit().name(), PermitId.random());
          return super.acquire(with(request, another, request.limit()), signal);
        }
      };
    }
  }
}
