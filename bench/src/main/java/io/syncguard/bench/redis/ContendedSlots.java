package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Slots of one name that more threads want than there are. */
final class ContendedSlots implements AutoCloseable {

  private static final int THREADS = 32;
  private static final Duration WARM_UP = Duration.ofSeconds(12);
  private static final Duration AUDIT = Duration.ofSeconds(1);
  private static final String KEY = "bench:slots";

  private record Sample(ContendedRun.Outcome outcome, Map<String, Double> commands) {

    double perSecond() {
      return outcome.perSecond();
    }

    double gap(double share) {
      return Figures.quantile(outcome.gaps(), share) / 1e3;
    }

    double commandsEach() {
      return commands.values().stream().mapToDouble(Double::doubleValue).sum() / outcome.all();
    }
  }

  private final Server server;
  private final Plan plan;
  private final int clients;
  private final double goal;
  private final Map<String, List<? extends WaitingContestant>> contestants = new LinkedHashMap<>();

  /** Opens so many clients of each contestant; the goal is ours compared with Redisson's. */
  ContendedSlots(Server server, Plan plan, int clients, double goal) {
    this.server = server;
    this.plan = plan;
    this.clients = clients;
    this.goal = goal;
    contestants.put(
        SemaphoreReport.OURS,
        Stream.generate(() -> new SyncGuardSemaphores(server, SemaphoreReport.SLOTS))
            .limit(clients)
            .toList());
    contestants.put(
        SemaphoreReport.REDISSON,
        Stream.generate(() -> new RedissonSemaphores(server, SemaphoreReport.SLOTS))
            .limit(clients)
            .toList());
  }

  void measureAndPrint() throws Exception {
    Map<String, ClientCommands> counters = new LinkedHashMap<>();
    for (Map.Entry<String, List<? extends WaitingContestant>> entry : contestants.entrySet()) {
      run(entry.getValue(), WARM_UP);
      ClientCommands counter = new ClientCommands(server);
      try (Monitor monitor = new Monitor(server)) {
        run(entry.getValue(), AUDIT);
        counter.calibrate(monitor.end());
      }
      counters.put(entry.getKey(), counter);
    }
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    for (int round = 0; round < plan.contendedRounds(); round++) {
      for (Map.Entry<String, ClientCommands> entry : counters.entrySet()) {
        samples
            .computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
            .add(sample(entry.getValue(), contestants.getOrDefault(entry.getKey(), List.of())));
      }
    }
    print(samples);
  }

  private Sample sample(ClientCommands counter, List<? extends WaitingContestant> competing)
      throws Exception {
    Map<String, Long> before = counter.calls();
    ContendedRun.Outcome outcome = run(competing, plan.contendedSlice());
    return new Sample(outcome, counter.sentBetween(before, counter.calls()));
  }

  private static ContendedRun.Outcome run(
      List<? extends WaitingContestant> competing, Duration slice) throws Exception {
    return ContendedRun.of(
        competing,
        KEY,
        new ContendedRun.Load(SemaphoreReport.SLOTS, THREADS, Duration.ZERO, slice));
  }

  private void print(Map<String, List<Sample>> samples) {
    Figures.say(
        "%n2. %d slots, %d threads of %d client(s), held 1 ms (medians of %d)",
        SemaphoreReport.SLOTS, THREADS, clients, plan.contendedRounds());
    samples.forEach(
        (name, taken) ->
            Figures.say(
                "  %-36s %7.0f a second, gap p50 %5.0f us, p99 %6.0f us, commands %5.2f",
                name,
                median(taken, Sample::perSecond),
                median(taken, sample -> sample.gap(0.5)),
                median(taken, sample -> sample.gap(0.99)),
                median(taken, Sample::commandsEach)));
    List<Sample> ours = samples.getOrDefault(SemaphoreReport.OURS, List.of());
    List<Sample> theirs = samples.getOrDefault(SemaphoreReport.REDISSON, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(ours.get(i).perSecond() / theirs.get(i).perSecond());
    }
    Figures.atLeast("compared with Redisson", Figures.median(ratios), goal);
    Figures.below("gap p50, microseconds", median(ours, sample -> sample.gap(0.5)), 350);
    Figures.atMost("client commands an acquisition", median(ours, Sample::commandsEach), 4);
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return Figures.median(samples.stream().mapToDouble(figure).boxed().toList());
  }

  @Override
  public void close() {
    contestants.values().forEach(competing -> competing.forEach(Contestant::close));
  }
}
