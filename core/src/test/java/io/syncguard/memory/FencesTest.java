package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FencesTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final Duration TTL = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newFixedThreadPool(4);

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void aCounterHandsOutEachFenceOnceAndLeavesNoneOut() throws Exception {
    Fences fences = new Fences(0);
    Callable<long[]> taking =
        () -> LongStream.generate(() -> fences.next(KEY).toLong()).limit(1_000_000).toArray();

    BitSet taken = new BitSet();
    for (Future<long[]> byOneThread : threads.invokeAll(Collections.nCopies(4, taking))) {
      for (long fence : byOneThread.get()) {
        taken.set(Math.toIntExact(fence));
      }
    }

    assertThat(taken.length() - 1).as("the greatest").isEqualTo(4_000_000);
    assertThat(taken.cardinality()).as("how many").isEqualTo(4_000_000);
  }

  @Test
  void threadsThatShareACounterDoNotPassTheGreatestFence() throws Exception {
    for (int i = 0; i < 100; i++) {
      Fences fences = new Fences(Fence.MAX - 300_000);
      Callable<Long> usingUp = () -> lastBeforeUsedUp(fences);
      for (Future<Long> last : threads.invokeAll(List.of(usingUp, usingUp))) {
        assertThat(last.get()).isLessThanOrEqualTo(Fence.MAX);
      }
    }
  }

  private static long lastBeforeUsedUp(Fences fences) {
    long last = 0;
    while (true) {
      try {
        last = fences.next(KEY).toLong();
      } catch (SyncGuardException e) {
        return last;
      }
    }
  }

  @Test
  void fencesOfAKeyIncreaseHoweverManyKeysAndThreadsShareTheCounters() throws Exception {
    MemoryLocks locks = new MemoryLocks(new StoreClock(new HandMovedTime()));
    List<ResourceKey> keys =
        IntStream.range(0, 500).mapToObj(i -> ResourceKey.of("key-" + i)).toList();
    Map<ResourceKey, Fence> newest = new ConcurrentHashMap<>();
    Callable<Integer> worker = () -> lockAtRandom(locks, keys, newest);

    int granted = 0;
    for (Future<Integer> done : threads.invokeAll(Collections.nCopies(4, worker))) {
      granted += done.get();
    }

    assertThat(granted).isGreaterThan(keys.size());
    assertThat(newest).hasSameSizeAs(keys);
  }

  /** Checks each fence while its lock is held, when no other thread can have a newer one. */
  private static int lockAtRandom(
      MemoryLocks locks, List<ResourceKey> keys, Map<ResourceKey, Fence> newest) {
    SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());
    int granted = 0;
    for (int i = 0; i < 20_000; i++) {
      ResourceKey key = keys.get(random.nextInt(keys.size()));
      LockId lockId = LockId.random();
      AcquireAttempt attempt =
          Answer.of(
              locks.acquire(new LockOperation.Acquire(key, lockId, TTL, false), Call.plain()));
      if (attempt instanceof AcquireAttempt.Granted lock) {
        granted++;
        Fence before = newest.put(key, lock.fence());
        assertThat(before == null || lock.fence().isNewerThan(before)).isTrue();
        LockOperation.Release release = new LockOperation.Release(new LockReference(lockId, null));
        assertThat(Answer.of(locks.release(release, Call.ofRelease(TTL))))
            .isEqualTo(ReleaseResult.RELEASED);
      }
    }
    return granted;
  }
}
