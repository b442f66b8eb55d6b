package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads of several clients that want one key again and again, hold it, and think in between. A
 * key has one slot, or several.
 */
final class ContendedRun {

  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final double MEAN_THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long SEED = 20_260_101;

  /**
   * What a run came to.
   *
   * @param inTime acquisitions within the time
   * @param seconds that time
   * @param gaps nanoseconds from a release with somebody waiting to the acquisition that follows it
   * @param all acquisitions in all, those after the end of the time included
   * @param fewest acquisitions of the thread that got fewest
   * @param most acquisitions of the thread that got most
   * @param longestWait nanoseconds that a thread waited at most
   */
  record Outcome(
      long inTime,
      double seconds,
      List<Long> gaps,
      long all,
      long fewest,
      long most,
      long longestWait) {

    double perSecond() {
      return inTime / seconds;
    }
  }

  private record ThreadOutcome(long inTime, long all, long longestWait, List<Long> gaps) {}

  private final List<? extends WaitingContestant> clients;
  private final String key;
  private final long nanos;
  private final int slots;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger holding = new AtomicInteger();

  /** When slots were released that somebody waited for and nobody has acquired yet. */
  private final Queue<Long> releases = new ConcurrentLinkedQueue<>();

  private ContendedRun(
      List<? extends WaitingContestant> clients, String key, int slots, Duration slice) {
    this.clients = clients;
    this.key = key;
    this.slots = slots;
    this.nanos = slice.toNanos();
  }

  static Outcome of(
      List<? extends WaitingContestant> clients, String key, int slots, int threads, Duration slice)
      throws Exception {
    ContendedRun run = new ContendedRun(clients, key, slots, slice);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<ThreadOutcome>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(pool.submit(() -> run.compete(thread, start)));
      }
      List<ThreadOutcome> outcomes = new ArrayList<>();
      for (Future<ThreadOutcome> thread : running) {
        outcomes.add(thread.get(2, TimeUnit.MINUTES));
      }
      return run.sum(outcomes);
    } finally {
      pool.shutdownNow();
    }
  }

  private Outcome sum(List<ThreadOutcome> threads) {
    return new Outcome(
        threads.stream().mapToLong(ThreadOutcome::inTime).sum(),
        nanos / 1e9,
        threads.stream().flatMap(thread -> thread.gaps().stream()).toList(),
        threads.stream().mapToLong(ThreadOutcome::all).sum(),
        threads.stream().mapToLong(ThreadOutcome::inTime).min().orElseThrow(),
        threads.stream().mapToLong(ThreadOutcome::inTime).max().orElseThrow(),
        threads.stream().mapToLong(ThreadOutcome::longestWait).max().orElseThrow());
  }

  private ThreadOutcome compete(int thread, CyclicBarrier start) throws Exception {
    WaitingContestant client = clients.get(thread % clients.size());
    SplittableRandom random = new SplittableRandom(SEED + thread);
    List<Long> gaps = new ArrayList<>();
    long inTime = 0;
    long all = 0;
    long longestWait = 0;
    start.await();
    long endsAt = System.nanoTime() + nanos;
    while (true) {
      LockSupport.parkNanos((long) (-Math.log(1 - random.nextDouble()) * MEAN_THINK_NANOS));
      long wantedAt = System.nanoTime();
      if (wantedAt - endsAt >= 0) {
        return new ThreadOutcome(inTime, all, longestWait, gaps);
      }
      waiting.incrementAndGet();
      WaitingContestant.Held lock = client.lock(key);
      long acquiredAt = System.nanoTime();
      waiting.decrementAndGet();
      Long releasedAt = releases.poll();
      Contestant.require(holding.incrementAndGet() <= slots, "exclusion");
      all++;
      longestWait = Math.max(longestWait, acquiredAt - wantedAt);
      if (acquiredAt - endsAt < 0) {
        inTime++;
        if (releasedAt != null) {
          gaps.add(acquiredAt - releasedAt);
        }
      }
      LockSupport.parkNanos(HOLD_NANOS);
      holding.decrementAndGet();
      if (waiting.get() > releases.size()) {
        releases.add(System.nanoTime());
      }
      lock.release();
    }
  }
}
