package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.ContendedRounds;
import io.syncguard.bench.redis.ContendedRun;
import io.syncguard.bench.redis.Plan;
import io.syncguard.bench.redis.Server;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One key that all threads want. */
final class Contended implements AutoCloseable {

  private static final int CLIENTS = 4;
  private static final List<Integer> THREADS = List.of(8, 32);
  private static final Duration MEAN_THOUGHT = Duration.ofMillis(5);
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  /** A thread that gets less than this share of the mean is starved. */
  private static final double STARVED_BELOW = 0.1;

  private final Server server;
  private final Plan plan;
  private final Map<String, List<? extends WaitingContestant>> contestants = new LinkedHashMap<>();

  Contended(Server server, Plan plan) {
    this.server = server;
    this.plan = plan;
    contestants.put(Uncontended.SYNCGUARD, clients(SyncGuardLocks::new));
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
    for (List<? extends WaitingContestant> competing : contestants.values()) {
      ContendedRun.of(competing, key(0), load(CLIENTS * 2).lasting(WARM_UP));
    }
    for (int threads : THREADS) {
      print(
          threads,
          ContendedRounds.measure(
              server, contestants, key(threads), load(threads), plan.contendedRounds()));
    }
  }

  private ContendedRun.Load load(int threads) {
    return new ContendedRun.Load(1, threads, MEAN_THOUGHT, plan.contendedSlice());
  }

  private static String key(int threads) {
    return String.format("bench:contended:%04d", threads);
  }

  private static void print(int threads, ContendedRounds rounds) {
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
    rounds.forEach(
        (name, taken) ->
            Figures.say(
                "  %-28s %10.0f %9.0f %9.0f %9.2f %17s %10.0f",
                name,
                ContendedRounds.median(taken, ContendedRounds.Sample::perSecond),
                ContendedRounds.median(taken, sample -> sample.gap(0.5)),
                ContendedRounds.median(taken, sample -> sample.gap(0.99)),
                ContendedRounds.median(taken, ContendedRounds.Sample::commandsEach),
                extremes(taken),
                taken.stream().mapToLong(s -> s.outcome().longestWait()).max().orElse(0) / 1e6));
    rounds.forEach((name, taken) -> Figures.say("  %-28s sends %s", name, breakdown(taken)));
    printGoals(threads, rounds);
  }

  private static void printGoals(int threads, ContendedRounds rounds) {
    String syncGuard = Uncontended.SYNCGUARD;
    for (String other : List.of(Uncontended.REDISSON, Uncontended.SPRING_PUSH)) {
      Figures.above("hand-offs compared with " + other, rounds.ratio(syncGuard, other), 1);
    }
    Figures.below(
        "gap p50, microseconds", rounds.median(syncGuard, sample -> sample.gap(0.5)), 350);
    Figures.atMost(
        "client commands per hand-off",
        rounds.median(syncGuard, ContendedRounds.Sample::commandsEach),
        4);
    Figures.above(
        "thread that got fewest, compared with the mean (worst round)",
        rounds.of(syncGuard).stream()
            .mapToDouble(sample -> fewestOfMean(sample, threads))
            .min()
            .orElse(0),
        STARVED_BELOW);
  }

  private static double fewestOfMean(ContendedRounds.Sample sample, int threads) {
    return sample.outcome().fewest() * (double) threads / sample.outcome().inTime();
  }

  private static String extremes(List<ContendedRounds.Sample> samples) {
    return samples.stream().mapToLong(sample -> sample.outcome().fewest()).min().orElse(0)
        + " / "
        + samples.stream().mapToLong(sample -> sample.outcome().most()).max().orElse(0);
  }

  private static String breakdown(List<ContendedRounds.Sample> samples) {
    Map<String, Double> sum = new TreeMap<>();
    long handOffs = 0;
    for (ContendedRounds.Sample sample : samples) {
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
