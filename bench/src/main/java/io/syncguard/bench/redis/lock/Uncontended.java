package io.syncguard.bench.redis.lock;

import com.sun.management.OperatingSystemMXBean;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.CycleThreads;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.redis.Plan;
import io.syncguard.bench.redis.Server;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Free locks, taken and freed as fast as it goes. Contestants take turns, so that whatever else the
 * machine does hits them alike; the first two, whose difference is the smallest, change places in
 * every other round.
 */
final class Uncontended {

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  static final String SYNCGUARD = "SyncGuard";
  static final String FLOOR = "floor (seed's scripts)";
  static final String REDISSON = "Redisson RLock";
  static final String FENCED = "Redisson RFencedLock";
  static final String SPRING = "Spring Integration";
  static final String SPRING_PUSH = "Spring Integration pub/sub";
  static final String SHEDLOCK = "ShedLock";

  /** How many threads block, or else how many cycles are under way without a thread. */
  enum Point {
    BLOCKING_1("1 thread", 1),
    BLOCKING_16("16 threads", 16),
    BLOCKING_64("64 threads", 64),
    ASYNC_256("256 async", 256);

    final String title;
    final int width;

    Point(String title, int width) {
      this.title = title;
      this.width = width;
    }
  }

  /**
   * What one contestant did in one round.
   *
   * @param perSecond cycles
   * @param cpuMicros processor time of Redis per cycle
   * @param ownCpuMicros processor time of this process per cycle
   */
  private record Sample(double perSecond, double cpuMicros, double ownCpuMicros) {}

  private final Server server;
  private final Plan plan;
  private final Map<String, Contestant> contestants = new LinkedHashMap<>();
  private final Map<Point, Map<String, List<Sample>>> samples = new LinkedHashMap<>();

  Uncontended(Server server, Plan plan, Map<String, ? extends Contestant> contestants) {
    this.server = server;
    this.plan = plan;
    this.contestants.putAll(contestants);
  }

  void measure() throws Exception {
    try (CycleThreads threads = new CycleThreads()) {
      for (Point point : Point.values()) {
        Map<String, List<Sample>> ofPoint = new LinkedHashMap<>();
        for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
          List<String> order = new ArrayList<>(contestants.keySet());
          if (Math.floorMod(round, 2) == 1) {
            Collections.swap(order, 0, 1);
          }
          for (String name : order) {
            Contestant contestant = contestants.get(name);
            if (contestant == null
                || (point == Point.ASYNC_256 && !(contestant instanceof AsyncContestant))) {
              continue;
            }
            Sample sample = sample(threads, point, contestant);
            if (round >= 0) {
              ofPoint.computeIfAbsent(name, n -> new ArrayList<>()).add(sample);
            }
          }
        }
        samples.put(point, ofPoint);
      }
    }
  }

  private Sample sample(CycleThreads threads, Point point, Contestant contestant) throws Exception {
    Duration slice = plan.slice();
    double cpuBefore = server.cpuSeconds();
    long ownCpuBefore = PROCESS.getProcessCpuTime();
    CycleThreads.Work work =
        point == Point.ASYNC_256
            ? AsyncCycles.run((AsyncContestant) contestant, point.width, slice)
            : threads.run(contestant, point.width, slice);
    double ownCpu = (PROCESS.getProcessCpuTime() - ownCpuBefore) / 1e3;
    double cpu = (server.cpuSeconds() - cpuBefore) * 1e6;
    return new Sample(work.perSecond(), cpu / work.cycles(), ownCpu / work.cycles());
  }

  private List<Sample> samples(Point point, String name) {
    return samples.getOrDefault(point, Map.of()).getOrDefault(name, List.of());
  }

  void print() {
    Figures.say("%n1. Free locks: acquire and release per second (medians of %d)", plan.rounds());
    StringBuilder head = new StringBuilder(String.format("  %-28s", ""));
    for (Point point : Point.values()) {
      head.append(String.format("%12s", point.title));
    }
    Figures.say("%s", head);
    for (String name : contestants.keySet()) {
      StringBuilder line = new StringBuilder(String.format("  %-28s", name));
      for (Point point : Point.values()) {
        List<Sample> taken = samples(point, name);
        line.append(
            taken.isEmpty()
                ? String.format("%12s", "-")
                : String.format(
                    "%12.0f", Figures.median(taken.stream().map(Sample::perSecond).toList())));
      }
      Figures.say("%s", line);
    }
    printGoals();
    printCpu();
  }

  private void printGoals() {
    Figures.say("  SyncGuard compared with, median of the ratios round by round:");
    for (Point point : Point.values()) {
      Figures.atLeast("floor, " + point.title, ratio(point, FLOOR), 0.95);
    }
    Figures.atLeast("Redisson RLock, 16 threads", ratio(Point.BLOCKING_16, REDISSON), 2);
    Figures.atLeast("Redisson RLock, 64 threads", ratio(Point.BLOCKING_64, REDISSON), 2);
    Figures.atLeast("Redisson RLock, 256 async", ratio(Point.ASYNC_256, REDISSON), 2.5);
    for (String spring : List.of(SPRING, SPRING_PUSH)) {
      for (Point point : List.of(Point.BLOCKING_1, Point.BLOCKING_16, Point.BLOCKING_64)) {
        Figures.above(spring + ", " + point.title, ratio(point, spring), 1);
      }
    }
  }

  private double ratio(Point point, String other) {
    List<Sample> syncGuard = samples(point, SYNCGUARD);
    List<Sample> theirs = samples(point, other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < syncGuard.size(); i++) {
      ratios.add(syncGuard.get(i).perSecond() / theirs.get(i).perSecond());
    }
    return Figures.median(ratios);
  }

  private void printCpu() {
    Figures.say("%n2. Processor time per cycle, microseconds (medians)");
    for (Point point : Point.values()) {
      for (String name : samples.getOrDefault(point, Map.of()).keySet()) {
        Figures.say(
            "  %-10s %-28s Redis %7.2f   client %7.2f",
            point.title,
            name,
            median(point, name, Sample::cpuMicros),
            median(point, name, Sample::ownCpuMicros));
      }
    }
    for (Point point : List.of(Point.BLOCKING_1, Point.ASYNC_256)) {
      Figures.atMost(
          "Redis, SyncGuard / floor, " + point.title,
          median(point, SYNCGUARD, Sample::cpuMicros) / median(point, FLOOR, Sample::cpuMicros),
          1);
    }
  }

  private double median(Point point, String name, Function<Sample, Double> figure) {
    return Figures.median(samples(point, name).stream().map(figure).toList());
  }
}
