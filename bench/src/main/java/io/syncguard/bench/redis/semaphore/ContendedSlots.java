package io.syncguard.bench.redis.semaphore;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.ContendedRounds;
import io.syncguard.bench.redis.ContendedRun;
import io.syncguard.bench.redis.Plan;
import io.syncguard.bench.redis.Server;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Slots of one name that more threads want than there are; beside what any contestant can reach on
 * this machine, as the goals are ratios and Redisson's gap differs between machines.
 */
final class ContendedSlots implements AutoCloseable {

  private static final int THREADS = 32;
  private static final Duration WARM_UP = Duration.ofSeconds(12);
  private static final String KEY = "bench:slots";
  private static final String NO_STORE = "JDK Semaphore, no store";
  private static final String BARE = "one PUBLISH per hand-off, no state";

  private final Server server;
  private final Plan plan;
  private final int clients;
  private final double goal;
  private final ContendedRun.Load load;
  private final Map<String, List<? extends WaitingContestant>> contestants = new LinkedHashMap<>();

  /** Opens so many clients of each contestant; the goal is SyncGuard compared with Redisson's. */
  ContendedSlots(Server server, Plan plan, int clients, double goal) {
    this.server = server;
    this.plan = plan;
    this.clients = clients;
    this.goal = goal;
    this.load =
        new ContendedRun.Load(SemaphoreReport.SLOTS, THREADS, Duration.ZERO, plan.contendedSlice());
    open(SemaphoreReport.SYNCGUARD, () -> new SyncGuardSemaphores(server, SemaphoreReport.SLOTS));
    open(SemaphoreReport.REDISSON, () -> new RedissonSemaphores(server, SemaphoreReport.SLOTS));
    Semaphore permits = new Semaphore(SemaphoreReport.SLOTS, true);
    open(NO_STORE, () -> new JdkSlots(permits));
    if (clients > 1) {
      BareHandOffs.Shared shared = new BareHandOffs.Shared(SemaphoreReport.SLOTS);
      open(BARE, () -> new BareHandOffs(server, shared));
    }
  }

  private void open(String name, Supplier<WaitingContestant> opening) {
    contestants.put(name, Stream.generate(opening).limit(clients).toList());
  }

  void measureAndPrint() throws Exception {
    for (List<? extends WaitingContestant> competing : contestants.values()) {
      ContendedRun.of(competing, KEY, load.lasting(WARM_UP));
    }
    print(ContendedRounds.measure(server, contestants, KEY, load, plan.contendedRounds()));
  }

  private void print(ContendedRounds rounds) {
    Figures.say(
        "%n2. %d slots, %d threads of %d client(s), held 1 ms (medians of %d)",
        SemaphoreReport.SLOTS, THREADS, clients, plan.contendedRounds());
    rounds.forEach(
        (name, taken) ->
            Figures.say(
                "  %-36s %7.0f per second, gap p50 %5.0f us, p99 %6.0f us, commands %5.2f",
                name,
                ContendedRounds.median(taken, ContendedRounds.Sample::perSecond),
                ContendedRounds.median(taken, sample -> sample.gap(0.5)),
                ContendedRounds.median(taken, sample -> sample.gap(0.99)),
                ContendedRounds.median(taken, ContendedRounds.Sample::commandsEach)));
    String syncGuard = SemaphoreReport.SYNCGUARD;
    Figures.atLeast(
        "compared with Redisson", rounds.ratio(syncGuard, SemaphoreReport.REDISSON), goal);
    Figures.below(
        "gap p50, microseconds", rounds.median(syncGuard, sample -> sample.gap(0.5)), 350);
    Figures.atMost(
        "client commands per acquisition",
        rounds.median(syncGuard, ContendedRounds.Sample::commandsEach),
        4);
    for (String ceiling : List.of(NO_STORE, BARE)) {
      if (contestants.containsKey(ceiling)) {
        Figures.say(
            "  %-62s %9.2f",
            "not a goal: " + ceiling + ", compared with Redisson",
            rounds.ratio(ceiling, SemaphoreReport.REDISSON));
      }
    }
  }

  @Override
  public void close() {
    contestants.values().forEach(competing -> competing.forEach(Contestant::close));
  }
}
