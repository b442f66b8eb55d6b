package io.syncguard.bench.redis.semaphore;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.redis.Server;
import io.syncguard.redis.RedisStore;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What it costs to join and to leave a queue, short or long; the two take turns. */
final class QueueLengths {

  private static final int SHORT = 10;
  private static final int LONG = 10_000;
  private static final int TURNS = 6000;
  private static final int WARM_UP = 2000;
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final SemaphoreBackend backend;
  private final List<PermitReference> queued = new ArrayList<>();

  private QueueLengths(SemaphoreBackend backend) {
    this.backend = backend;
  }

  static void measureAndPrint(Server server) {
    try (RedisStore store = RedisStore.connect(server.uri())) {
      new QueueLengths(store.semaphores()).measureAndPrint();
    }
  }

  private void measureAndPrint() {
    ResourceKey few = filled("bench:queue:short", SHORT);
    ResourceKey many = filled("bench:queue:long", LONG);
    List<Double> withFew = new ArrayList<>();
    List<Double> withMany = new ArrayList<>();
    for (int turn = -WARM_UP; turn < TURNS; turn++) {
      double first = joinAndLeave(few);
      double second = joinAndLeave(many);
      if (turn >= 0) {
        withFew.add(first);
        withMany.add(second);
      }
    }
    queued.forEach(this::leave);
    Figures.say("%n3. Joining and leaving a queue, microseconds (medians of %d)", TURNS);
    Figures.say(
        "  with %d waiters %.1f, with %d waiters %.1f",
        SHORT, Figures.median(withFew), LONG, Figures.median(withMany));
    Figures.atMost(
        "long queue compared with a short one",
        Figures.median(withMany) / Figures.median(withFew),
        1.3);
  }

  private ResourceKey filled(String name, int waiters) {
    ResourceKey key = ResourceKey.of(name);
    for (int i = 0; i <= waiters; i++) {
      PermitReference permit = new PermitReference(key, PermitId.random());
      join(permit);
      queued.add(permit);
    }
    return key;
  }

  private void join(PermitReference permit) {
    backend
        .acquire(
            new SemaphoreOperation.Acquire(permit, 1, AN_HOUR, AN_HOUR, true, false), Call.plain())
        .toCompletableFuture()
        .join();
  }

  private PermitReleaseResult leave(PermitReference permit) {
    return backend
        .release(new SemaphoreOperation.Release(permit), Call.ofRelease(AN_HOUR))
        .toCompletableFuture()
        .join();
  }

  private double joinAndLeave(ResourceKey name) {
    PermitReference permit = new PermitReference(name, PermitId.random());
    long startedAt = System.nanoTime();
    join(permit);
    PermitReleaseResult left = leave(permit);
    double micros = (System.nanoTime() - startedAt) / 1e3;
    Contestant.require(left == PermitReleaseResult.LEFT_QUEUE, "leaving the queue");
    return micros;
  }
}
