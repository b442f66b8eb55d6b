package io.syncguard.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.DelegatingLockBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A store that breaks one promise fails the contract, in the tests that are about that promise. */
class MutantsAreCaughtTest {

  @Test
  void aReleaseThatDoesNotCheckOwnership() {
    assertFails(ReleasesWhoeverHolds.class, "aLateReleaseDoesNotFreeTheNextHoldersLock");
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

    abstract LockBackend plantBug(LockBackend backend);

    @Override
    protected StoreFixture openFixture() {
      MemoryFixture memory = new MemoryFixture();
      return new StoreFixture() {
        @Override
        public Store openClient() {
          return new DecoratedStore(memory.openClient(), Mutant.this::plantBug);
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

  static class ReleasesWhoeverHolds extends Mutant {
    private final Map<String, ResourceKey> keys = new ConcurrentHashMap<>();

    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
          keys.put(request.lockId().value(), request.key());
          return super.acquire(request, signal);
        }

        @Override
        public ReleaseResult release(LockReference lock, Duration timeout) {
          ResourceKey key = keys.get(lock.lockId().value());
          if (key == null) {
            return super.release(lock, timeout);
          }
          return lookup(key, CancelSignal.never())
              .map(held -> super.release(new LockReference(held.lockId(), key), timeout))
              .orElse(ReleaseResult.NOT_FOUND);
        }
      };
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
    private final Duration tooSoon;

    TakesOverTooSoon(Duration tooSoon) {
      this.tooSoon = tooSoon;
    }

    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
          AcquireAttempt attempt = super.acquire(request, signal);
          if (attempt instanceof AcquireAttempt.Held held
              && held.remaining().compareTo(tooSoon) <= 0) {
            lookup(request.key(), signal)
                .ifPresent(
                    late -> release(new LockReference(late.lockId(), null), Duration.ofSeconds(1)));
            return super.acquire(request, signal);
          }
          return attempt;
        }
      };
    }
  }

  static class HoldsOnTooLong extends Mutant {
    private final Map<ResourceKey, Integer> deadFor = new ConcurrentHashMap<>();

    /** Six times 2 ms in that suite. */
    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public boolean isLocked(ResourceKey key, CancelSignal signal) {
          return super.isLocked(key, signal) || deadFor.merge(key, 1, Integer::sum) < 6;
        }
      };
    }
  }

  static class TellsAWaiterToSleepTooLong extends Mutant {
    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
          return super.acquire(request, signal) instanceof AcquireAttempt.Held held
              ? new AcquireAttempt.Held(held.remaining().plusMillis(10))
              : super.acquire(request, signal);
        }
      };
    }
  }

  static class RepeatsFences extends Mutant {
    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
          return super.acquire(request, signal) instanceof AcquireAttempt.Granted granted
              ? new AcquireAttempt.Granted(Fence.of(1), granted.expiresAt())
              : new AcquireAttempt.Held(Duration.ofMillis(1));
        }
      };
    }
  }

  static class Resurrects extends Mutant {
    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
          ExtendResult result = super.extend(lock, ttl, signal);
          return result == ExtendResult.NotExtended.EXPIRED
              ? new ExtendResult.Extended(Instant.now().plus(ttl))
              : result;
        }
      };
    }
  }

  static class ReleasesTwice extends Mutant {
    @Override
    LockBackend plantBug(LockBackend backend) {
      return new DelegatingLockBackend(backend) {
        @Override
        public ReleaseResult release(LockReference lock, Duration timeout) {
          super.release(lock, timeout);
          return ReleaseResult.RELEASED;
        }
      };
    }
  }
}
