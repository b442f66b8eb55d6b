package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.Figures;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Prints what it costs to pass one key on between more and more clients of several processes: our
 * locks and semaphores, and others' locks, on the same server in the same run.
 */
public final class HandOffReport {

  private static final String QUICK = "--quick";
  private static final String ONLY = "--only";
  private static final String CLIENTS = "--clients";
  private static final String REDIS = "redis";
  private static final String POSTGRES = "postgresql";

  private HandOffReport() {}

  /** Blocks for minutes, then has printed all figures. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    List<String> words = List.of(args);
    Set<String> only = valuesOf(ONLY, words);
    Set<String> clients = valuesOf(CLIENTS, words);
    boolean quick = words.contains(QUICK);
    int known = (quick ? 1 : 0) + (only.isEmpty() ? 0 : 2) + (clients.isEmpty() ? 0 : 2);
    if (known != words.size() || !choices().containsAll(only)) {
      System.err.println(
          "Arguments: [--quick] [--clients 4,64] [--only "
              + String.join(",", choices().stream().sorted().toList())
              + "]");
      System.exit(2);
    }
    HandOffPlan plan = quick ? HandOffPlan.QUICK : HandOffPlan.FULL;
    long startedAt = System.nanoTime();
    Figures.say(
        "JDK %s, %d processors, load average %.2f at the start",
        Runtime.version(), Runtime.getRuntime().availableProcessors(), load());
    Predicate<Contender> competes = contender -> isChosen(only, contenders(), contender.word());
    Predicate<Integer> isAsked = size -> clients.isEmpty() || clients.contains(size.toString());
    if (isChosen(only, Set.of(REDIS, POSTGRES), REDIS)) {
      HandOffsOnRedis.measureAndPrint(plan, competes, isAsked);
    }
    if (isChosen(only, Set.of(REDIS, POSTGRES), POSTGRES)) {
      HandOffsOnPostgres.measureAndPrint(plan, competes, isAsked);
    }
    Figures.say(
        "%nTook %d s; load average now %.2f (this run included).",
        (System.nanoTime() - startedAt) / 1_000_000_000, load());
    System.exit(0);
  }

  private static Set<String> valuesOf(String option, List<String> words) {
    int at = words.indexOf(option);
    return at < 0 || at == words.size() - 1
        ? Set.of()
        : new HashSet<>(List.of(words.get(at + 1).split(",", -1)));
  }

  /** Returns whether a word of these was named, or none of them. */
  private static boolean isChosen(Set<String> named, Set<String> ofThese, String word) {
    return named.contains(word) || ofThese.stream().noneMatch(named::contains);
  }

  private static Set<String> contenders() {
    return new HashSet<>(Arrays.stream(Contender.values()).map(Contender::word).toList());
  }

  private static Set<String> choices() {
    return new HashSet<>(Stream.concat(contenders().stream(), Stream.of(REDIS, POSTGRES)).toList());
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
