package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.cli.output.ProgressBar;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "bench",
    header = "Measure how fast locks are on this store.",
    description = {
      "Each thread acquires and releases its own free lock, again and again. Warms up for a"
          + " third of the time first. The keys begin with 'syncguard-bench'; their fence counters"
          + " stay in the store, as any lock's do. Only one bench runs on a store at a time."
    },
    footerHeading = "%nExit code:%n",
    footer = {
      "  0; 75 if another bench is running.",
      "",
      "Example:",
      "  syncguard bench --threads 16 --time 10s --store redis://localhost"
    })
public final class BenchCommand implements Callable<Integer> {

  private static final String KEY = "syncguard-bench";
  private static final Duration TTL = Duration.ofMinutes(1);
  private static final int WARM_UP_SHARE = 3;
  private static final long REFRESH_MS = 100;

  private final SyncguardCommand root;

  private static final int MOST_THREADS = 1000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many do so at the same time. Default: 1.")
  private int threads = 1;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "How long to measure. Default: 3s.")
  private Duration time = Duration.ofSeconds(3);

  BenchCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (threads < 1) {
      throw Failure.usage("--threads must be at least 1, not " + threads);
    }
    if (threads > MOST_THREADS) {
      throw Failure.usage("--threads must be at most " + MOST_THREADS + ", not " + threads);
    }
    if (time.isZero()) {
      throw Failure.usage("--time must be longer than 0");
    }
    try (SyncGuard guard = root.openGuard();
        LockHandle turn = onlyOne(guard);
        ProgressBar progress = new ProgressBar(root.terminal())) {
      turn.autoExtend(Duration.ofDays(1));
      run(guard.locks(), time.dividedBy(WARM_UP_SHARE), progress, "warming up");
      report(run(guard.locks(), time, progress, "measuring"));
      return Exit.OK;
    }
  }

  private static LockHandle onlyOne(SyncGuard guard) {
    try {
      return guard.locks().lock(KEY, LockOptions.defaults().withMaxWait(Duration.ZERO));
    } catch (SyncGuardException e) {
      throw e.code() == SyncGuardException.Code.ACQUISITION_TIMEOUT ? Failure.busy(KEY) : e;
    }
  }

  private Latencies run(Locks locks, Duration duration, ProgressBar progress, String what)
      throws InterruptedException {
    long begin = System.nanoTime();
    LongAdder cycles = new LongAdder();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Latencies>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        String key = KEY + ":" + i;
        results.add(pool.submit(() -> cycle(locks, key, begin + duration.toNanos(), cycles)));
      }
      while (System.nanoTime() - begin < duration.toNanos()) {
        double done = (System.nanoTime() - begin) / (double) duration.toNanos();
        progress.show(done, what + ", " + cycles.sum() + " cycles");
        Thread.sleep(REFRESH_MS);
      }
      return joined(results);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Latencies cycle(Locks locks, String key, long end, LongAdder cycles) {
    Latencies latencies = new Latencies();
    while (System.nanoTime() - end < 0) {
      long begin = System.nanoTime();
      if (!(locks.tryLock(key, TTL) instanceof LockHandle lock)) {
        throw Failure.busy(key);
      }
      lock.release();
      latencies.add(System.nanoTime() - begin);
      cycles.increment();
    }
    return latencies;
  }

  private static Latencies joined(List<Future<Latencies>> results) throws InterruptedException {
    Latencies all = new Latencies();
    try {
      for (Future<Latencies> result : results) {
        all.addAll(result.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
    return all;
  }

  private void report(Latencies cycles) {
    double perSecond = cycles.count() * 1e9 / time.toNanos();
    root.print(
        Json.object(
            "threads", threads,
            "cycles", cycles.count(),
            "cyclesPerSecond", Math.round(perSecond),
            "p50Micros", micros(cycles, 50),
            "p99Micros", micros(cycles, 99),
            "maxMicros", micros(cycles, 100)),
        String.format(
            Locale.ROOT,
            "%.0f cycles of acquire and release per second, %d thread(s)%n"
                + "p50 %.3f ms, p99 %.3f ms, longest %.3f ms",
            perSecond,
            threads,
            micros(cycles, 50) / 1e3,
            micros(cycles, 99) / 1e3,
            micros(cycles, 100) / 1e3));
  }

  private static long micros(Latencies cycles, double percent) {
    return cycles.percentile(percent).toNanos() / 1000;
  }
}
