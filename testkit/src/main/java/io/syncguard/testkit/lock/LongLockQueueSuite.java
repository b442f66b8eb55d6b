package io.syncguard.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Thousands wait for one lock, and a hand-off costs the same. */
public interface LongLockQueueSuite extends QueuedLockSuite {

  /** How many hand-offs are timed in each of two queues. */
  int TIMED = 101;

  /** A step whose time grew with the queue would take a thousand times as long. */
  int MOST_TIMES_AS_LONG = 10;

  /** Beneath this a difference is the machine's. */
  Duration NOTHING = Duration.ofMillis(1);

  /** Returns how many wait; a slow store may do with fewer. */
  default int waitersForOneLock() {
    return 10_000;
  }

  @Test
  default void leavingTheMiddleOfALongQueueForALockLeavesTheOthersInOrder() {
    LockSteps steps = openSteps();
    String key = newKey();
    int many = waitersForOneLock();
    LockReference holding = steps.take(key);
    List<LockReference> waiters = joinMany(steps, key, many);
    for (int i = 0; i < many; i++) {
      if (i % 100 != 0) {
        steps.leave(waiters.get(i));
      }
    }
    for (int i = 0; i < many; i += 100) {
      steps.leave(holding);
      holding = waiters.get(i);
      steps.take(holding);
    }
    steps.leave(holding);
    assertThat(steps.isLocked(key)).isFalse();
    assertThat(fixture().keptOfQueue(key)).isEmpty();
  }

  @Test
  default void aHandOffAmongManyWaitersCostsWhatItCostsAmongFew() {
    LockSteps steps = openSteps();
    String few = newKey();
    String many = newKey();
    LockReference[] holding = {steps.take(few), steps.take(many)};
    List<List<LockReference>> queues =
        List.of(joinMany(steps, few, TIMED + 5), joinMany(steps, many, waitersForOneLock()));
    long[][] nanos = new long[2][TIMED];
    for (int i = 0; i < TIMED; i++) {
      for (int queue = 0; queue < 2; queue++) {
        LockReference next = queues.get(queue).get(i);
        long before = System.nanoTime();
        steps.leave(holding[queue]);
        steps.take(next);
        assertThat(steps.keepWaiting(queues.get(queue).get(i + 1)))
            .containsExactly(PlaceState.WAITING);
        nanos[queue][i] = System.nanoTime() - before;
        holding[queue] = next;
      }
    }
    assertThat(median(nanos[1]))
        .isLessThan(MOST_TIMES_AS_LONG * Math.max(median(nanos[0]), NOTHING.toNanos()));
  }

  private static List<LockReference> joinMany(LockSteps steps, String key, int count) {
    List<LockReference> waiters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waiters.add(steps.join(key));
    }
    return waiters;
  }

  private static long median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
