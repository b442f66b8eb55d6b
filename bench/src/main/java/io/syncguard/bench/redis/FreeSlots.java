package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.CycleThreads;
import io.syncguard.bench.contest.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Slots that nobody else wants, taken and freed as fast as it goes, beside our locks. */
final class FreeSlots implements AutoCloseable {

  private static final List<Integer> THREADS = List.of(1, 16);
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private final Server server;
  private final Plan plan;
  private final Map<String, Contestant> contestants = new LinkedHashMap<>();

  FreeSlots(Server server, Plan plan) {
    this.server = server;
    this.plan = plan;
    contestants.put(SemaphoreReport.OURS, new SyncGuardSemaphores(server, SemaphoreReport.SLOTS));
    contestants.put(SemaphoreReport.OUR_LOCKS, new SyncGuardLocks(server));
    contestants.put(
        SemaphoreReport.REDISSON, new RedissonSemaphores(server, SemaphoreReport.SLOTS));
  }

  void measureAndPrint() throws Exception {
    Figures.say("%n1. Free slots: cycles per second (medians of %d)", plan.rounds());
    try (CycleThreads threads = new CycleThreads()) {
      for (int width : THREADS) {
        print(width, measure(threads, width));
      }
    }
  }

  private record Sample(double perSecond, double redisMicros) {}

  /** Rounds begin with another one each time: who works after whom makes a difference. */
  private Map<String, List<Sample>> measure(CycleThreads threads, int width) throws Exception {
    for (Contestant contestant : contestants.values()) {
      threads.run(contestant, width, WARM_UP);
    }
    List<Map.Entry<String, Contestant>> order = new ArrayList<>(contestants.entrySet());
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds(); round++) {
      for (Map.Entry<String, Contestant> contestant : order) {
        samples
            .computeIfAbsent(contestant.getKey(), name -> new ArrayList<>())
            .add(sample(threads, contestant.getValue(), width));
      }
      Collections.rotate(order, 1);
    }
    return samples;
  }

  private Sample sample(CycleThreads threads, Contestant contestant, int width) throws Exception {
    double cpuBefore = server.cpuSeconds();
    CycleThreads.Work work = threads.run(contestant, width, plan.slice());
    return new Sample(work.perSecond(), (server.cpuSeconds() - cpuBefore) * 1e6 / work.cycles());
  }

  private static void print(int width, Map<String, List<Sample>> samples) {
    samples.forEach(
        (name, taken) ->
            Figures.say(
                "  %2d threads %-36s %9.0f   Redis %6.2f us a cycle",
                width,
                name,
                Figures.median(taken.stream().map(Sample::perSecond).toList()),
                Figures.median(taken.stream().map(Sample::redisMicros).toList())));
    Figures.atLeast(
        "compared with our locks, " + width + " threads",
        ratio(samples, SemaphoreReport.OUR_LOCKS),
        0.9);
    if (width > 1) {
      Figures.atLeast(
          "compared with Redisson, " + width + " threads",
          ratio(samples, SemaphoreReport.REDISSON),
          1.7);
    }
  }

  private static double ratio(Map<String, List<Sample>> samples, String other) {
    List<Sample> ours = samples.getOrDefault(SemaphoreReport.OURS, List.of());
    List<Sample> theirs = samples.getOrDefault(other, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(ours.get(i).perSecond() / theirs.get(i).perSecond());
    }
    return Figures.median(ratios);
  }

  @Override
  public void close() {
    contestants.values().forEach(Contestant::close);
  }
}
