package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.CycleThreads;
import io.syncguard.bench.contest.Figures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cycles per second of contestants that take turns, so that whatever else the machine does hits
 * them alike; each round begins with another one.
 */
final class Rounds {

  private final Map<String, List<Double>> perSecond = new LinkedHashMap<>();
  private final Map<String, Long> cycles = new LinkedHashMap<>();

  private Rounds() {}

  static Rounds measure(Plan plan, int threads, Map<String, ? extends Contestant> contestants)
      throws Exception {
    Rounds measured = new Rounds();
    List<Map.Entry<String, ? extends Contestant>> order = new ArrayList<>(contestants.entrySet());
    try (CycleThreads workers = new CycleThreads()) {
      for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
        for (Map.Entry<String, ? extends Contestant> entry : order) {
          CycleThreads.Work work = workers.run(entry.getValue(), threads, plan.slice());
          measured.cycles.merge(entry.getKey(), work.cycles(), Long::sum);
          if (round >= 0) {
            measured
                .perSecond
                .computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
                .add(work.perSecond());
          }
        }
        Collections.rotate(order, 1);
      }
    }
    return measured;
  }

  double median(String name) {
    return Figures.median(of(name));
  }

  /** Returns all cycles, those of the warm-up included. */
  long cycles(String name) {
    return cycles.getOrDefault(name, 0L);
  }

  /** Returns the median of the ratios round by round. */
  double ratio(String one, String other) {
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
