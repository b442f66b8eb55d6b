package io.syncguard.bench.contest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Cycles per second of contestants that take turns, so that whatever else the machine does hits
 * them alike; each round begins with another one.
 */
public final class Rounds {

  /**
   * How much to measure.
   *
   * @param warmUps rounds that are thrown away
   * @param rounds rounds that count
   * @param slice how long one contestant works in one round
   */
  public record Plan(int warmUps, int rounds, Duration slice) {}

  private final Map<String, List<Double>> perSecond = new LinkedHashMap<>();
  private final Map<String, List<Double>> meteredPerCycle = new LinkedHashMap<>();
  private final Map<String, Long> cycles = new LinkedHashMap<>();

  private Rounds() {}

  /** Blocks while so many threads let each contestant work in each round. */
  public static Rounds measure(
      Plan plan, int threads, Map<String, ? extends Contestant> contestants) throws Exception {
    return measure(plan, threads, contestants, () -> 0);
  }

  /**
   * Measures in the same way, and reads a meter before and after each contestant's work.
   *
   * @param meter a number that grows by what is spent
   */
  public static Rounds measure(
      Plan plan, int threads, Map<String, ? extends Contestant> contestants, DoubleSupplier meter)
      throws Exception {
    Rounds measured = new Rounds();
    List<Map.Entry<String, ? extends Contestant>> order = new ArrayList<>(contestants.entrySet());
    try (CycleThreads workers = new CycleThreads()) {
      for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
        for (Map.Entry<String, ? extends Contestant> entry : order) {
          double before = meter.getAsDouble();
          CycleThreads.Work work = workers.run(entry.getValue(), threads, plan.slice());
          double spent = meter.getAsDouble() - before;
          measured.cycles.merge(entry.getKey(), work.cycles(), Long::sum);
          if (round >= 0) {
            add(measured.perSecond, entry.getKey(), work.perSecond());
            add(measured.meteredPerCycle, entry.getKey(), spent / work.cycles());
          }
        }
        Collections.rotate(order, 1);
      }
    }
    return measured;
  }

  private static void add(Map<String, List<Double>> samples, String name, double sample) {
    samples.computeIfAbsent(name, any -> new ArrayList<>()).add(sample);
  }

  /** Returns the median of what the meter counted for one of a contestant's cycles. */
  public double meteredPerCycle(String name) {
    return Figures.median(meteredPerCycle.getOrDefault(name, List.of()));
  }

  /** Returns the median of a contestant's cycles per second. */
  public double median(String name) {
    return Figures.median(of(name));
  }

  /** Returns all cycles, those of the warm-up included. */
  public long cycles(String name) {
    return cycles.getOrDefault(name, 0L);
  }

  /** Returns the median of the ratios round by round. */
  public double ratio(String one, String other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < of(one).size(); i++) {
      ratios.add(of(one).get(i) / of(other).get(i));
    }
    return Figures.median(ratios);
  }

  private List<Double> of(String name) {
    return perSecond.getOrDefault(name, List.of());
  }
}
