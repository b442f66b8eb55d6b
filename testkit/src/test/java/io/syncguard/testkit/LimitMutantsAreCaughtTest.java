package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.testkit.fault.Interception;
import java.util.concurrent.CompletableFuture;
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

  static class CountsOneTooMany extends CounterContract {
    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          Interception.on(
              LimitOperation.Increment.class,
              (hit, call, next) ->
                  next.execute(
                      new LimitOperation.Increment(hit.key(), hit.max() + 1, hit.window()), call)));
    }
  }

  static class MovesTheWindow extends CounterContract {
    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          Interception.on(
              LimitOperation.Increment.class,
              (hit, call, next) -> {
                long count =
                    ask(next, new LimitOperation.Current(hit.key()))
                        .map(CounterState::count)
                        .orElse(0L);
                ask(next, new LimitOperation.Reset(hit.key()));
                CounterResult result = ask(next, hit);
                for (long i = 0; i < count; i++) {
                  result = ask(next, hit);
                }
                return CompletableFuture.completedFuture(
                    new CounterResult.Counted(
                        count + 1, hit.max() - count - 1, result.resetAt().plusMillis(count)));
              }));
    }
  }

  static class AllowsOneMore extends RateLimiterContract {
    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          Interception.on(
              LimitOperation.Take.class,
              (take, call, next) ->
                  next.execute(
                      new LimitOperation.Take(
                          take.name(), take.cost(), take.burst().plus(take.cost())),
                      call)));
    }
  }

  static class AllowsTwiceTheRate extends RateLimiterContract {
    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          Interception.on(
              LimitOperation.Take.class,
              (take, call, next) ->
                  next.execute(
                      new LimitOperation.Take(take.name(), take.cost().dividedBy(2), take.burst()),
                      call)));
    }
  }
}
