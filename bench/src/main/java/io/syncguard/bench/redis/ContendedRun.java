package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
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
 * Threads of several clients that want one key again and again, hold it, and perhaps think in
 * between. A key has one slot, or several.
 */
public final class ContendedRun {

  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SEED = 20_260_101;

  /**
   * What a run came to.
   *
   * @param inTime acquisitions within the time
   * @param seconds that time
   * @param gaps nanoseconds from a release to the acquisition by a waiter that follows it
   * @param all acquisitions in all, those after the end of the time included
   * @param fewest acquisitions of the thread that got fewest
   * @param most acquisitions of the thread that got most
   * @param longestWait nanoseconds that a thread waited at most
   */
  public record Outcome(
      long inTime,
      double seconds,
      List<Long> gaps,
      long all,
      long fewest,
      long most,
      long longestWait) {

    public double perSecond() {
      return inTime / seconds;
    }
  }

  private record ThreadOutcome(long inTime, long all, long longestWait, List<Long> gaps) {}

  private final List<? extends WaitingContestant> clients;
  private final String key;
  private final Load load;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger holding = new AtomicInteger();

  /** When slots were released that a thread waited for, until it acquires them. */
  private final Queue<Long> releases = new ConcurrentLinkedQueue<>();

  /**
   * How much is wanted of a key.
   *
   * @param slots how many may hold it
   * @param threads how many want it
   * @param meanThought how long a thread waits, on average, before it wants it again
   * @param slice for how long that goes on
   */
  public record Load(int slots, int threads, Duration meanThought, Duration slice) {

    public Load lasting(Duration otherSlice) {
      return new Load(slots, threads, meanThought, otherSlice);
    }
  }

  private ContendedRun(List<? extends WaitingContestant> clients, String key, Load load) {
    this.clients = clients;
    this.key = key;
    this.load = load;
  }

  /** Blocks while the clients contend. */
  public static Outcome of(List<? extends WaitingContestant> clients, String key, Load load)
      throws Exception {
    ContendedRun run = new ContendedRun(clients, key, load);
    ExecutorService pool = Executors.newFixedThreadPool(load.threads());
    try {
      CyclicBarrier start = new CyclicBarrier(load.threads());
      List<Future<ThreadOutcome>> running = new ArrayList<>();
      for (int i = 0; i < load.threads(); i++) {
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
        load.slice().toNanos() / 1e9,
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
    long endsAt = System.nanoTime() + load.slice().toNanos();
    while (true) {
      double thought = -Math.log(1 - random.nextDouble()) * load.meanThought().toNanos();
      LockSupport.parkNanos((long) thought);
      long wantedAt = System.nanoTime();
      if (wantedAt - endsAt >= 0) {
        return new ThreadOutcome(inTime, all, longestWait, gaps);
      }
      waiting.incrementAndGet();
      WaitingContestant.Held lock = client.lock(key);
      long acquiredAt = System.nanoTime();
      waiting.decrementAndGet();
      Long releasedAt = releases.poll();
      Contestant.require(holding.incrementAndGet() <= load.slots(), "exclusion");
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
