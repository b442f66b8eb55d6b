package io.syncguard.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.RateRequest;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.DelegatingLimitBackend;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A store that breaks one promise fails the contract, in the tests that are about that promise. */
class LimitMutantsAreCaughtTest {

  @Test
  void oneCountTooMany() {
    assertFails(CountsOneTooMany.class, "aCounterCountsToItsLimitAndNoFurther");
    assertFails(CountsOneTooMany.class, "ofManyAtTheSameTimeExactlyAsManyAreCountedAsAreAllowed");
  }

  @Test
  void aWindowThatEveryHitBeginsAnew() {
    assertFails(MovesTheWindow.class, "aCounterCountsToItsLimitAndNoFurther");
    assertFails(MovesTheWindow.class, "laterHitsDoNotMoveTheEndWhateverWindowTheyNameThemselves");
  }

  @Test
  void aBurstThatIsOneTooLarge() {
    assertFails(AllowsOneMore.class, "aBurstIsAllowedAtOnceAndThenOneAnInterval");
    assertFails(AllowsOneMore.class, "ofManyAtTheSameTimeExactlyTheBurstIsAllowed");
  }

  @Test
  void aRateThatIsTooFast() {
    assertFails(AllowsTwiceTheRate.class, "inNoWindowAreThereMoreThanTheRateAndTheBurst");
  }

  private static void assertFails(Class<? extends StoreContract> mutant, String test) {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(mutant, test))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.started(1).failed(1));
  }

  private interface Bug {
    LimitBackend plantedIn(LimitBackend backend);
  }

  private static StoreFixture mutant(Bug bug) {
    return new MutantFixture(client -> DecoratedStore.withLimits(client, bug::plantedIn));
  }

  static class CountsOneTooMany extends CounterContract {
    @Override
    protected StoreFixture openFixture() {
      return mutant(
          backend ->
              new DelegatingLimitBackend(backend) {
                @Override
                public CounterResult increment(CountRequest request, CancelSignal signal) {
                  return super.increment(
                      new CountRequest(request.key(), request.max() + 1, request.window()), signal);
                }
              });
    }
  }

  static class MovesTheWindow extends CounterContract {
    @Override
    protected StoreFixture openFixture() {
      return mutant(
          backend ->
              new DelegatingLimitBackend(backend) {
                @Override
                public CounterResult increment(CountRequest request, CancelSignal signal) {
                  long count = current(request.key(), signal).map(s -> s.count()).orElse(0L);
                  reset(request.key(), signal);
                  CounterResult result = super.increment(request, signal);
                  for (long i = 0; i < count; i++) {
                    result = super.increment(request, signal);
                  }
                  return new CounterResult.Counted(
                      count + 1, request.max() - count - 1, result.resetAt().plusMillis(count));
                }
              });
    }
  }

  static class AllowsOneMore extends RateLimiterContract {
    @Override
    protected StoreFixture openFixture() {
      return mutant(
          backend ->
              new DelegatingLimitBackend(backend) {
                @Override
                public RateDecision acquire(RateRequest request, CancelSignal signal) {
                  return super.acquire(
                      new RateRequest(
                          request.name(), request.cost(), request.burst().plus(request.cost())),
                      signal);
                }
              });
    }
  }

  static class AllowsTwiceTheRate extends RateLimiterContract {
    @Override
    protected StoreFixture openFixture() {
      return mutant(
          backend ->
              new DelegatingLimitBackend(backend) {
                @Override
                public RateDecision acquire(RateRequest request, CancelSignal signal) {
                  return super.acquire(
                      new RateRequest(request.name(), request.cost().dividedBy(2), request.burst()),
                      signal);
                }
              });
    }
  }
}
