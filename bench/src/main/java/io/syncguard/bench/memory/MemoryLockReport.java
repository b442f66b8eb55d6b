package io.syncguard.bench.memory;

import io.syncguard.SyncGuard;
import io.syncguard.lock.Locks;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Prints what the in-memory store is to achieve and what it does, side by side.
 *
 * <p>The configurations take turns in this one process, so that whatever else the machine does hits
 * them alike. A ratio is the median of the ratios of neighbours.
 */
public final class MemoryLockReport {

  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;
  private static final int WARM_UP_ROUNDS = 10;
  private static final int ROUNDS = 31;

  private final List<Double> nanos = new ArrayList<>();
  private final List<Double> twoThreads = new ArrayList<>();
  private final List<Double> twoThreadsApart = new ArrayList<>();
  private final List<Double> manyLive = new ArrayList<>();

  private MemoryLockReport() {}

  /** Blocks for about a minute, then prints the four figures. */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, heap up to %d MiB%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20);
    double loadBefore = load();
    MemoryLockReport report = new MemoryLockReport();
    report.measure();
    report.print(HeapPerLock.measure(MANY));
    System.out.printf(
        Locale.ROOT,
        "Load average %.2f before, %.2f after (this run included).%n",
        loadBefore,
        load());
  }

  private void measure() throws InterruptedException, ExecutionException {
    try (SyncGuard few = SyncGuard.open("memory:");
        SyncGuard many = SyncGuard.open("memory:");
        LiveLocks fewHeld = LiveLocks.hold(few.locks(), FEW);
        LiveLocks manyHeld = LiveLocks.hold(many.locks(), MANY);
        MeasuringThreads workers = new MeasuringThreads(2)) {
      for (int i = 0; i < WARM_UP_ROUNDS; i++) {
        round(workers, few.locks(), many.locks());
      }
      List.of(nanos, twoThreads, twoThreadsApart, manyLive).forEach(List::clear);
      for (int i = 0; i < ROUNDS; i++) {
        round(workers, few.locks(), many.locks());
      }
    }
  }

  private void round(MeasuringThreads workers, Locks few, Locks many)
      throws InterruptedException, ExecutionException {
    double apart = workers.perSecond(2, MemoryLockReport::shareNothing);
    double alone = workers.perSecond(1, MemoryLockReport::shareNothing);
    double two = workers.perSecond(2, acquireFrom(few));
    double one = workers.perSecond(1, acquireFrom(few));
    double crowded = workers.perSecond(1, acquireFrom(many));
    nanos.add(1e9 / one);
    twoThreads.add(two / one);
    twoThreadsApart.add(apart / alone);
    manyLive.add(one / crowded);
  }

  private static Consumer<KeyRing> acquireFrom(Locks locks) {
    return keys -> LockCycle.acquire(locks, keys);
  }

  /** Work that touches nothing two threads have in common: twice of it is what a machine can do. */
  private static void shareNothing(KeyRing keys) {
    String key = keys.next();
    int hash = 1;
    for (int i = 0; i < 500; i++) {
      hash = 31 * hash + key.charAt(hash & 15);
    }
    if (hash == 0) {
      throw new IllegalStateException(
          "So that the loop counts; it does not happen with these keys");
    }
  }

  private void print(HeapPerLock heap) {
    double cycle = median(nanos);
    double speedUp = median(twoThreads);
    double slowDown = median(manyLive);
    print("ns per acquire and release, 1 thread", cycle, "<= 2000", cycle <= 2000);
    print("work of 2 threads / 1 thread, own keys", speedUp, ">= 1.7", speedUp >= 1.7);
    print(
        "time with 1000000 live locks / 1000",
        slowDown,
        "0.8 to 1.2",
        slowDown >= 0.8 && slowDown <= 1.2);
    print("bytes of heap per live lock", heap.total(), "< 1024", heap.total() < 1024);
    System.out.printf(
        Locale.ROOT,
        """
        Bytes: %.0f in the store (text of the key, record, index by id, tables), %.0f for the handle.
        Two threads that share nothing did %.2f times the work of one here; if that is far below 2,
        the machine was busy and the second figure says little.
        """,
        heap.store(),
        heap.handle(),
        median(twoThreadsApart));
  }

  private static void print(String what, double value, String goal, boolean met) {
    System.out.printf(
        Locale.ROOT, "%-40s %8.2f   goal %-10s  %s%n", what, value, goal, met ? "met" : "missed");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
