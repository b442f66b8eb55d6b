package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.Figures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What contenders did that took turns, with so many clients each. */
record HandOffRounds(int clients, List<Entry> entries) {

  /** Blocks while they contend, each round begins with another one; ends their processes. */
  static HandOffRounds measure(HandOffPlan plan, int clients, List<Entry> entries)
      throws InterruptedException {
    List<Entry> order = new ArrayList<>(entries);
    try {
      for (int round = 0; round < plan.rounds(); round++) {
        for (Entry entry : order) {
          entry.contend(plan);
        }
        Collections.rotate(order, 1);
      }
      for (Entry entry : entries) {
        entry.count();
      }
    } finally {
      entries.forEach(Entry::close);
    }
    return new HandOffRounds(clients, entries);
  }

  /** Returns what a contender did, unless it took no part. */
  Optional<Entry> of(Contender contender) {
    return entries.stream()
        .filter(entry -> entry.contender() == contender && !entry.isOut())
        .findFirst();
  }

  void print(String clientsAre, String requestsAre) {
    Figures.say(
        "  %-28s %10s %9s %9s %12s %17s",
        clients + " " + clientsAre,
        "hand-offs",
        "gap p50",
        "gap p99",
        requestsAre,
        "fewest / most");
    Figures.say("  %-28s %10s %9s %9s %12s %17s", "", "per s", "us", "us", "each", "of a client");
    entries.forEach(HandOffRounds::print);
    for (Entry entry : entries) {
      if (!entry.isOut() && !entry.breakdown().isEmpty()) {
        Figures.say("  %-28s sends %s", entry.contender().title(), entry.breakdown());
      }
    }
  }

  private static void print(Entry entry) {
    if (entry.isOut()) {
      Figures.say("  %-28s not run: %s", entry.contender().title(), entry.whyOut());
      return;
    }
    Figures.say(
        "  %-28s %10.0f %9.0f %9.0f %12.2f %17s",
        entry.contender().title(),
        entry.median(HandOffs::perSecond),
        entry.median(done -> done.gap(0.5)),
        entry.median(done -> done.gap(0.99)),
        entry.requestsEach(),
        entry.rounds().stream().mapToLong(HandOffs::fewest).min().orElse(0)
            + " / "
            + entry.rounds().stream().mapToLong(HandOffs::most).max().orElse(0));
  }
}
