package io.syncguard.sql;

import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;

import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What tests ask of a bare store for permits. */
final class Permits {

  /** Ends only when a test wants it to. */
  static final Duration LONG = Duration.ofHours(1);

  private Permits() {}

  /** Asks for a slot, or a place in the queue. */
  static PermitAttempt ask(SemaphoreBackend by, PermitReference permit, int limit) {
    return ask(by, permit, limit, true);
  }

  static PermitAttempt ask(SemaphoreBackend by, PermitReference permit, int limit, boolean waits) {
    return by.acquire(new PermitRequest(permit, limit, LONG, LONG, waits, false), OnPostgres.NEVER);
  }

  static Heartbeat heartbeat(PermitReference permit) {
    return new Heartbeat(permit.name(), List.of(permit.id()), LONG);
  }

  /** Returns every operation on a name, by what it does; a permit comes of it and goes. */
  static Map<String, Consumer<SemaphoreBackend>> everyOperation(String name) {
    PermitReference permit = newPermit(name);
    Map<String, Consumer<SemaphoreBackend>> all = new LinkedHashMap<>();
    all.put("acquire", semaphores -> ask(semaphores, permit, 1));
    all.put("ping", semaphores -> semaphores.ping(heartbeat(permit)));
    all.put("resize", semaphores -> semaphores.resize(permit.name(), 2, OnPostgres.NEVER));
    all.put("stats", semaphores -> semaphores.stats(permit.name(), OnPostgres.NEVER));
    all.put("all stats", semaphores -> semaphores.stats(OnPostgres.NEVER));
    all.put("release", semaphores -> semaphores.release(permit, OnPostgres.TTL));
    return all;
  }
}
