package io.syncguard.testkit.sql;

import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;

import io.syncguard.spi.Call;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.lock.LockSuite;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What tests ask of a bare store for permits. */
public final class Permits {

  /** Ends only when a test wants it to. */
  public static final Duration LONG = Duration.ofHours(1);

  private Permits() {}

  /** Asks for a slot, or a place in the queue. */
  public static PermitAttempt ask(SemaphoreBackend by, PermitReference permit, int limit) {
    return ask(by, permit, limit, true);
  }

  public static PermitAttempt ask(
      SemaphoreBackend by, PermitReference permit, int limit, boolean waits) {
    return LockSuite.join(
        by.acquire(
            new SemaphoreOperation.Acquire(permit, limit, LONG, LONG, waits, false), Call.plain()));
  }

  public static SemaphoreOperation.Ping heartbeat(PermitReference permit) {
    return new SemaphoreOperation.Ping(permit.name(), List.of(permit.id()), LONG);
  }

  /** Returns every operation on a name, by what it does; a permit comes of it and goes. */
  public static Map<String, SemaphoreOperation<?>> everyOperation(String name) {
    PermitReference permit = newPermit(name);
    Map<String, SemaphoreOperation<?>> all = new LinkedHashMap<>();
    all.put("acquire", new SemaphoreOperation.Acquire(permit, 1, LONG, LONG, true, false));
    all.put("ping", heartbeat(permit));
    all.put("resize", new SemaphoreOperation.Resize(permit.name(), 2));
    all.put("stats", new SemaphoreOperation.Stats(permit.name()));
    all.put("all stats", new SemaphoreOperation.AllStats());
    all.put("release", new SemaphoreOperation.Release(permit));
    return all;
  }
}
