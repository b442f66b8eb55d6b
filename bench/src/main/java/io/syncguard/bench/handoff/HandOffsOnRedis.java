package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.redis.Server;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** One key in Redis, and clients that grow in number, spread over some processes. */
final class HandOffsOnRedis {

  private static final int PROCESSES = 4;
  private static final List<Integer> CLIENTS = List.of(4, 16, 64, 256);
  private static final List<Contender> CONTENDERS =
      List.of(
          Contender.LOCK,
          Contender.SEMAPHORE,
          Contender.REDISSON,
          Contender.FAIR,
          Contender.SPRING);

  private HandOffsOnRedis() {}

  static void measureAndPrint(
      HandOffPlan plan, Predicate<Contender> competes, Predicate<Integer> isAsked)
      throws Exception {
    try (Server server = Server.start()) {
      Figures.say(
          "%n1. Redis %s: one key, held 1 ms, wanted again at once; clients of %d processes,"
              + " one thread each (medians of %d rounds of %d ms)",
          server.info("server", "redis_version"),
          PROCESSES,
          plan.rounds(),
          plan.slice().toMillis());
      Map<Integer, HandOffRounds> sizes = new LinkedHashMap<>();
      for (int clients : CLIENTS) {
        if (isAsked.test(clients)) {
          HandOffRounds rounds = measure(server, plan, clients, competes);
          rounds.print("clients", "requests");
          sizes.put(clients, rounds);
        }
      }
      printGoals(sizes);
    }
  }

  private static HandOffRounds measure(
      Server server, HandOffPlan plan, int clients, Predicate<Contender> competes)
      throws InterruptedException {
    List<Entry> entries = new ArrayList<>();
    for (Contender contender : CONTENDERS) {
      if (competes.test(contender)) {
        Entry entry = new Entry(contender, new RedisRequests(server));
        entries.add(entry);
        entry.open(() -> Fleet.start(contender, server.uri(), PROCESSES, clients), plan);
      }
    }
    return HandOffRounds.measure(plan, clients, entries);
  }

  private static void printGoals(Map<Integer, HandOffRounds> sizes) {
    Growth growth = new Growth(sizes, Contender.LOCK);
    growth.handOffsAtLeast(64, 0.9);
    growth.handOffsAtLeast(256, 0.85);
    growth.gapAtMost(256, 1.5);
    growth.requestsAtMost(3);
    Figures.say("  SyncGuard's lock compared with, median of the ratios round by round:");
    growth.comparedWith(Contender.SEMAPHORE, 0.9);
    growth.comparedWith(Contender.REDISSON, 1);
    growth.comparedWith(Contender.FAIR, 1);
    growth.comparedWith(Contender.SPRING, 1);
  }
}
