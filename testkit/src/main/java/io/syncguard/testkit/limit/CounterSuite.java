package io.syncguard.testkit.limit;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.AsyncCounters;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterResult.Counted;
import io.syncguard.counter.CounterResult.LimitReached;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.internal.UserThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** So many in a window and no more. */
public interface CounterSuite extends LimitSuite {

  @Test
  default void aCounterCountsToItsLimitAndNoFurther() {
    String key = newName();
    CounterResult first = counters().increment(key, 3, LONG);
    Instant end = first.resetAt();
    assertThat(first).isEqualTo(new Counted(1, 2, end));
    assertThat(otherCounters().increment(key, 3, LONG)).isEqualTo(new Counted(2, 1, end));
    assertThat(counters().increment(key, 3, LONG)).isEqualTo(new Counted(3, 0, end));
    assertThat(counters().increment(key, 3, LONG)).isEqualTo(new LimitReached(end));
    assertThat(otherCounters().increment(key, 3, LONG)).isEqualTo(new LimitReached(end));
    assertThat(counters().current(key)).contains(new CounterState(3, end));
  }

  @Test
  default void aLookCountsNothing() {
    String key = newName();
    assertThat(counters().current(key)).isEmpty();
    Instant end = counters().increment(key, 5, LONG).resetAt();
    assertThat(otherCounters().current(key)).contains(new CounterState(1, end));
    assertThat(counters().increment(key, 5, LONG)).isEqualTo(new Counted(2, 3, end));
  }

  @Test
  default void aResetEndsTheWindow() {
    String key = newName();
    counters().increment(key, 1, LONG);
    assertThat(otherCounters().reset(key)).isTrue();
    assertThat(counters().reset(key)).isFalse();
    assertThat(counters().current(key)).isEmpty();
    assertThat(counters().increment(key, 1, LONG).isCounted()).isTrue();
  }

  @Test
  default void theLimitIsThatOfEachIncrement() {
    String key = newName();
    counters().increment(key, 1, LONG);
    assertThat(counters().increment(key, 1, LONG).isCounted()).isFalse();
    assertThat(counters().increment(key, 5, LONG)).isInstanceOf(Counted.class);
    assertThat(counters().increment(key, 1, LONG).isCounted()).isFalse();
    Instant end = counters().current(key).orElseThrow().resetAt();
    assertThat(counters().increment(key, Counters.MOST, LONG))
        .isEqualTo(new Counted(3, Counters.MOST - 3, end));
  }

  @Test
  default void keysAreCountedApartWhateverIsInThem() {
    String name = newName();
    List<String> keys =
        List.of(name, name + ":", "{" + name + "}", "}" + name, name + " \n\"é", "id:" + name);
    for (String key : keys) {
      assertThat(counters().increment(key, 2, LONG)).as(key).isInstanceOf(Counted.class);
      assertThat(counters().current(key)).map(CounterState::count).as(key).contains(1L);
    }
    String composed = name + "\u00e9";
    String decomposed = name + "e\u0301";
    counters().increment(composed, 2, LONG);
    assertThat(counters().increment(decomposed, 2, LONG))
        .extracting(result -> ((Counted) result).count())
        .isEqualTo(2L);
    String longest = "k".repeat(512);
    counters().reset(longest);
    assertThat(counters().increment(longest, 1, LONG).isCounted()).isTrue();
    assertThat(counters().reset(longest)).isTrue();
  }

  @Test
  default void aCounterALimiterAndALockOfTheSameNameAreThree() {
    String name = newName();
    guard().rateLimiter(name, 1, LONG, 1).tryAcquire();
    guard().locks().tryLock(name, Duration.ofMinutes(1)).close();
    assertThat(counters().current(name)).isEmpty();
    assertThat(counters().increment(name, 1, LONG).isCounted()).isTrue();
    assertThat(guard().rateLimiter(name, 1, LONG, 1).tryAcquire().isAllowed()).isFalse();
  }

  @Test
  default void badArgumentsAreRefusedBeforeAnythingIsWritten() {
    String key = newName();
    assertFails(Code.INVALID_ARGUMENT, () -> counters().increment(key, 0, LONG));
    assertFails(Code.INVALID_ARGUMENT, () -> counters().increment(key, -1, LONG));
    assertFails(Code.INVALID_ARGUMENT, () -> counters().increment(key, Counters.MOST + 1, LONG));
    assertFails(Code.INVALID_ARGUMENT, () -> counters().increment(key, 1, Duration.ZERO));
    assertFails(Code.INVALID_ARGUMENT, () -> counters().increment(key, 1, Duration.ofMillis(-1)));
    assertFails(Code.INVALID_ARGUMENT, () -> join(counters().async().increment(key, 0, LONG)));
    assertFails(Code.INVALID_ARGUMENT, () -> counters().increment("", 1, LONG));
    assertThat(counters().current(key)).isEmpty();
  }

  @Test
  default void ofManyAtTheSameTimeExactlyAsManyAreCountedAsAreAllowed() throws Exception {
    String key = newName();
    long max = 300;
    List<List<Long>> counts =
        StoreSuite.together(
            8,
            () -> {
              List<Long> mine = new ArrayList<>();
              while (counters().increment(key, max, LONG) instanceof Counted counted) {
                mine.add(counted.count());
              }
              return mine;
            });
    assertThat(counts.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, max).boxed().toList());
  }

  @Test
  default void theAsynchronousOperationsOfACounterDoTheSame() {
    String key = newName();
    CounterResult first = join(counters().async().increment(key, 1, LONG));
    assertThat(first).isEqualTo(new Counted(1, 0, first.resetAt()));
    assertThat(join(counters().async().increment(key, 1, LONG)))
        .isEqualTo(new LimitReached(first.resetAt()));
    assertThat(join(counters().async().current(key)))
        .contains(new CounterState(1, first.resetAt()));
    assertThat(join(counters().async().reset(key))).isTrue();
  }

  @Test
  default void anIncrementThatWasCalledOffBeforeItBeganIsNotCounted() {
    String key = newName();
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    assertFails(Code.ABORTED, () -> counters().cancelledBy(signal).increment(key, 1, LONG));
    Thread.currentThread().interrupt();
    assertFails(Code.ABORTED, () -> counters().increment(key, 1, LONG));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(counters().current(key)).isEmpty();

    SyncGuard closed = open(guardOptions());
    Counters late = closed.counters();
    closed.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> late.increment(key, 1, LONG));
  }

  @Test
  default void continuationsOfCountersRunInTheUsersThreads() {
    try (UserThreads threads = new UserThreads(1)) {
      AsyncCounters counters = open(guardOptions().withExecutor(threads)).counters().async();
      String key = newName();
      threads.continues(() -> counters.increment(key, 2, LONG));
      threads.continues(() -> counters.current(key));
      threads.continues(() -> counters.reset(key));
    }
  }
}
