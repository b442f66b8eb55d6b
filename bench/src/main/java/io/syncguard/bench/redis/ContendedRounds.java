package io.syncguard.bench.redis;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.WaitingContestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;

/**
 * What contestants did that took turns in contending, each with several clients; each round begins
 * with another one.
 */
public final class ContendedRounds {

  private static final Duration AUDIT = Duration.ofSeconds(1);

  /**
   * What one contestant did in one round.
   *
   * @param commands how many of each its clients sent
   */
  public record Sample(ContendedRun.Outcome outcome, Map<String, Double> commands) {

    public double perSecond() {
      return outcome.perSecond();
    }

    /** Returns the microseconds that this share of the hand-offs took at most. */
    public double gap(double share) {
      return Figures.quantile(outcome.gaps(), share) / 1e3;
    }

    public double commandsEach() {
      return commands.values().stream().mapToDouble(Double::doubleValue).sum() / outcome.all();
    }
  }

  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

  private ContendedRounds() {}

  /** Blocks while they contend; they must be warm. */
  public static ContendedRounds measure(
      Server server,
      Map<String, List<? extends WaitingContestant>> contestants,
      String key,
      ContendedRun.Load load,
      int rounds)
      throws Exception {
    Map<String, ClientCommands> counters = new LinkedHashMap<>();
    for (Map.Entry<String, List<? extends WaitingContestant>> entry : contestants.entrySet()) {
      counters.put(entry.getKey(), audited(server, entry.getValue(), key, load.lasting(AUDIT)));
    }
    ContendedRounds measured = new ContendedRounds();
    List<Map.Entry<String, ClientCommands>> order = new ArrayList<>(counters.entrySet());
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, ClientCommands> entry : order) {
        ClientCommands counter = entry.getValue();
        Map<String, Long> before = counter.calls();
        ContendedRun.Outcome outcome =
            ContendedRun.of(contestants.getOrDefault(entry.getKey(), List.of()), key, load);
        measured
            .samples
            .computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
            .add(new Sample(outcome, counter.sentBetween(before, counter.calls())));
      }
      Collections.rotate(order, 1);
    }
    return measured;
  }

  private static ClientCommands audited(
      Server server, List<? extends WaitingContestant> clients, String key, ContendedRun.Load load)
      throws Exception {
    ContendedRun.of(clients, key, load);
    ClientCommands counter = new ClientCommands(server);
    try (Monitor monitor = new Monitor(server)) {
      ContendedRun.of(clients, key, load);
      counter.calibrate(monitor.end());
    }
    return counter;
  }

  public void forEach(BiConsumer<String, List<Sample>> action) {
    samples.forEach(action);
  }

  public List<Sample> of(String name) {
    return samples.getOrDefault(name, List.of());
  }

  public double median(String name, ToDoubleFunction<Sample> figure) {
    return median(of(name), figure);
  }

  public static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return Figures.median(samples.stream().mapToDouble(figure).boxed().toList());
  }

  /** Returns the median of the ratios of what they did in a second, round by round. */
  public double ratio(String one, String other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < of(one).size(); i++) {
      ratios.add(of(one).get(i).perSecond() / of(other).get(i).perSecond());
    }
    return Figures.median(ratios);
  }
}
