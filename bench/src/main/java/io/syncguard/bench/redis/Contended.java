package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One key that everybody wants. */
final class Contended implements AutoCloseable {

  private static final int CLIENTS = 4;
  private static final List<Integer> THREADS = List.of(8, 32);
  private static final Duration MEAN_THOUGHT = Duration.ofMillis(5);
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration AUDIT = Duration.ofSeconds(1);

  /** A thread that gets less than this share of the mean is starved. */
  private static final double STARVED_BELOW = 0.1;

  private record Sample(ContendedRun.Outcome outcome, Map<String, Double> commands, int threads) {

    double p50() {
      return Figures.quantile(outcome.gaps(), 0.5) / 1e3;
    }

    double p99() {
      return Figures.quantile(outcome.gaps(), 0.99) / 1e3;
    }

    double commandsPerHandOff() {
      return commands.values().stream().mapToDouble(Double::doubleValue).sum() / outcome.all();
    }

    double fewestOfMean() {
      return outcome.fewest() * (double) threads / outcome.inTime();
    }
  }

  private final Server server;
  private final Plan plan;
  private final Map<String, List<? extends WaitingContestant>> contestants = new LinkedHashMap<>();

  Contended(Server server, Plan plan) {
    this.server = server;
    this.plan = plan;
    contestants.put(Uncontended.OURS, clients(SyncGuardLocks::new));
    contestants.put(Uncontended.REDISSON, clients(RedissonLocks::plain));
    contestants.put(Uncontended.SPRING_PUSH, clients(SpringLocks::notified));
  }

  private <T> List<T> clients(Function<Server, T> opening) {
    return Stream.generate(() -> opening.apply(server)).limit(CLIENTS).toList();
  }

  void measureAndPrint() throws Exception {
    Figures.say(
        "%n3. One key, held 1 ms, 5 ms of thought, %d clients (medians of %d rounds of %d ms)",
        CLIENTS, plan.contendedRounds(), plan.contendedSlice().toMillis());
    for (String name : contestants.keySet()) {
      run(name, key(0), CLIENTS * 2, WARM_UP);
    }
    for (int threads : THREADS) {
      print(threads, measure(threads));
    }
  }

  private ContendedRun.Outcome run(String name, String key, int threads, Duration slice)
      throws Exception {
    return ContendedRun.of(
        clientsOf(name), key, new ContendedRun.Load(1, threads, MEAN_THOUGHT, slice));
  }

  private Map<String, List<Sample>> measure(int threads) throws Exception {
    Map<String, ClientCommands> counters = new LinkedHashMap<>();
    for (String name : contestants.keySet()) {
      run(name, key(threads), threads, AUDIT);
      ClientCommands counter = new ClientCommands(server);
      try (Monitor monitor = new Monitor(server)) {
        run(name, key(threads), threads, AUDIT);
        counter.calibrate(monitor.end());
      }
      counters.put(name, counter);
    }
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    for (int round = 0; round < plan.contendedRounds(); round++) {
      List<Map.Entry<String, ClientCommands>> order = new ArrayList<>(counters.entrySet());
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (Map.Entry<String, ClientCommands> entry : order) {
        ClientCommands counter = entry.getValue();
        Map<String, Long> before = counter.calls();
        ContendedRun.Outcome outcome =
            run(entry.getKey(), key(threads), threads, plan.contendedSlice());
        Map<String, Double> sent = counter.sentBetween(before, counter.calls());
        samples
            .computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
            .add(new Sample(outcome, sent, threads));
      }
    }
    return samples;
  }

  private List<? extends WaitingContestant> clientsOf(String name) {
    return contestants.getOrDefault(name, List.of());
  }

  private static String key(int threads) {
    return String.format("bench:contended:%04d", threads);
  }

  private static void print(int threads, Map<String, List<Sample>> samples) {
    Figures.say(
        "  %-28s %10s %9s %9s %9s %17s %10s",
        threads + " threads",
        "hand-offs",
        "gap p50",
        "gap p99",
        "commands",
        "fewest / most",
        "longest");
    Figures.say(
        "  %-28s %10s %9s %9s %9s %17s %10s",
        "", "per s", "us", "us", "each", "of a thread", "wait ms");
    samples.forEach(
        (name, taken) ->
            Figures.say(
                "  %-28s %10.0f %9.0f %9.0f %9.2f %17s %10.0f",
                name,
                median(taken, sample -> sample.outcome().perSecond()),
                median(taken, Sample::p50),
                median(taken, Sample::p99),
                median(taken, Sample::commandsPerHandOff),
                extremes(taken),
                taken.stream().mapToLong(s -> s.outcome().longestWait()).max().orElse(0) / 1e6));
    samples.forEach((name, taken) -> Figures.say("  %-28s sends %s", name, breakdown(taken)));
    printGoals(samples);
  }

  private static void printGoals(Map<String, List<Sample>> samples) {
    List<Sample> ours = samples.getOrDefault(Uncontended.OURS, List.of());
    for (String other : List.of(Uncontended.REDISSON, Uncontended.SPRING_PUSH)) {
      List<Sample> theirs = samples.getOrDefault(other, List.of());
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < ours.size(); i++) {
        ratios.add(ours.get(i).outcome().perSecond() / theirs.get(i).outcome().perSecond());
      }
      Figures.above("hand-offs compared with " + other, Figures.median(ratios), 1);
    }
    Figures.below("gap p50, microseconds", median(ours, Sample::p50), 350);
    Figures.atMost("client commands a hand-off", median(ours, Sample::commandsPerHandOff), 4);
    Figures.above(
        "thread that got fewest, compared with the mean (worst round)",
        ours.stream().mapToDouble(Sample::fewestOfMean).min().orElse(0),
        STARVED_BELOW);
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return Figures.median(samples.stream().mapToDouble(figure).boxed().toList());
  }

  private static String extremes(List<Sample> samples) {
    return samples.stream().mapToLong(sample -> sample.outcome().fewest()).min().orElse(0)
        + " / "
        + samples.stream().mapToLong(sample -> sample.outcome().most()).max().orElse(0);
  }

  private static String breakdown(List<Sample> samples) {
    Map<String, Double> sum = new TreeMap<>();
    long handOffs = 0;
    for (Sample sample : samples) {
      sample.commands().forEach((command, count) -> sum.merge(command, count, Double::sum));
      handOffs += sample.outcome().all();
    }
    double all = handOffs;
    return sum.entrySet().stream()
        .filter(entry -> entry.getValue() / all >= 0.005)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(entry -> String.format("%s %.2f", entry.getKey(), entry.getValue() / all))
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    contestants.values().forEach(clients -> clients.forEach(Contestant::close));
  }
}
