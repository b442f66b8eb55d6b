package io.syncguard.testkit.process;

import io.syncguard.SyncGuard;
import io.syncguard.limit.RateLimiter;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.history.RateHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Processes that all ask one rate limiter as fast as they can.
 *
 * @param permits how many are allowed per second
 * @param burst how many are allowed at once
 * @param processes how many JVMs ask
 * @param threads how many threads ask in each
 * @param calls how often they ask in all
 */
public record RateRace(long permits, long burst, int processes, int threads, int calls) {

  /** How long the rate's permits are for. */
  private static final Duration PER = Duration.ofSeconds(1);

  /**
   * Blocks until all was asked and checks that the limiter never allowed too much; returns when it
   * allowed something.
   *
   * @param uri where each process opens the store
   */
  public RateHistory run(String uri) {
    List<String> args =
        List.of(
            uri,
            "testkit:" + UUID.randomUUID(),
            Long.toString(permits),
            Long.toString(burst),
            Integer.toString(threads),
            Integer.toString(calls / processes / threads));
    RateHistory history = new RateHistory();
    for (String line : Starters.run(Worker.class, args, processes)) {
      int space = line.indexOf(' ');
      history.allowed(
          Long.parseLong(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
    }
    history.check(PER.dividedBy(permits), burst);
    return history;
  }

  /** One of the processes. */
  static final class Worker {

    private Worker() {}

    /**
     * Blocks until all was asked; prints between which times something was allowed.
     *
     * @param args the store's URI, the limiter's name, permits per second, burst, threads, calls of
     *     each thread
     */
    public static void main(String[] args) throws Exception {
      try (SyncGuard guard = SyncGuard.open(args[0])) {
        RateLimiter limiter =
            guard.rateLimiter(args[1], Long.parseLong(args[2]), PER, Long.parseLong(args[3]));
        int calls = Integer.parseInt(args[5]);
        Starters.awaitTheStart();
        List<List<String>> allowed =
            StoreSuite.together(Integer.parseInt(args[4]), () -> ask(limiter, calls));
        allowed.forEach(mine -> mine.forEach(System.out::println));
      }
    }

    private static List<String> ask(RateLimiter limiter, int calls) {
      List<String> allowed = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        long before = System.nanoTime();
        if (limiter.tryAcquire().isAllowed()) {
          allowed.add(before + " " + System.nanoTime());
        }
      }
      return allowed;
    }
  }
}
