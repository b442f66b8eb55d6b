package io.syncguard.bench.contest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Threads, each with its own keys, that repeat a cycle for a while. */
public final class CycleThreads implements AutoCloseable {

  /**
   * How many keys each thread, or each chain of asynchronous cycles, takes in turn; a power of two.
   */
  public static final int KEYS = 64;

  /**
   * What was done.
   *
   * @param cycles how often
   * @param perSecond how often in a second
   */
  public record Work(long cycles, double perSecond) {}

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Threads that start when first needed. */
  public CycleThreads() {}

  private static final ConcurrentHashMap<Integer, List<String>> KEYS_OF = new ConcurrentHashMap<>();

  /** Returns the keys of one thread or chain, of 20 characters each. */
  public static List<String> keys(int owner) {
    return KEYS_OF.computeIfAbsent(
        owner,
        o ->
            IntStream.range(0, KEYS)
                .mapToObj(i -> String.format("bench:owner%03d:%05d", o, i))
                .toList());
  }

  /** Blocks while this many threads repeat the cycle for about this long. */
  public Work run(Contestant contestant, int width, Duration slice) throws Exception {
    CyclicBarrier start = new CyclicBarrier(width);
    List<Future<Work>> running = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      List<String> keys = keys(i);
      running.add(threads.submit(() -> repeat(contestant, keys, start, slice.toNanos())));
    }
    long cycles = 0;
    double perSecond = 0;
    for (Future<Work> thread : running) {
      cycles += thread.get().cycles();
      perSecond += thread.get().perSecond();
    }
    return new Work(cycles, perSecond);
  }

  private static Work repeat(
      Contestant contestant, List<String> keys, CyclicBarrier start, long nanos) throws Exception {
    start.await();
    long startedAt = System.nanoTime();
    long done = 0;
    long elapsed;
    do {
      contestant.cycle(keys.get((int) (done & (KEYS - 1))));
      done++;
      elapsed = System.nanoTime() - startedAt;
    } while (elapsed < nanos);
    return new Work(done, done * 1e9 / elapsed);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
