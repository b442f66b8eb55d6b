package io.syncguard.bench.memory;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Threads, each with its own keys, that repeat a piece of work for a while. */
final class MeasuringThreads implements AutoCloseable {

  private static final long MEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<KeyRing> rings;

  MeasuringThreads(int most) {
    this.rings = IntStream.range(0, most).mapToObj(KeyRing::new).toList();
  }

  /** Blocks while that many threads work, and returns how often per second they did it in all. */
  double perSecond(int count, Consumer<KeyRing> work)
      throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<Double>> rates =
        rings.subList(0, count).stream()
            .map(ring -> threads.submit(() -> repeat(start, ring, work)))
            .toList();
    double sum = 0;
    for (Future<Double> rate : rates) {
      sum += rate.get();
    }
    return sum;
  }

  private static double repeat(CyclicBarrier start, KeyRing ring, Consumer<KeyRing> work)
      throws InterruptedException, BrokenBarrierException {
    start.await();
    long startedAt = System.nanoTime();
    long done = 0;
    long elapsed;
    do {
      for (int i = 0; i < KeyRing.SIZE; i++) {
        work.accept(ring);
      }
      done += KeyRing.SIZE;
      elapsed = System.nanoTime() - startedAt;
    } while (elapsed < MEASURED_NANOS);
    return (double) done * TimeUnit.SECONDS.toNanos(1) / elapsed;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
