package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Guards, and clients that know only the scripts of seed 001, with one key. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BesidePlainClientsTest {

  private static final int GUARDS = 3;
  private static final int PLAIN_CLIENTS = 3;
  private static final int HOLDS = 600;
  private static final long HOLD_MS = 1;

  /** What one client did, by its own clock: inside of the time for which it held the lock. */
  private record Hold(long from, long to, boolean byPlainClient) {}

  private final RedisServer server = RedisServer.start();
  private final ConcurrentSkipListMap<Long, Hold> byFence = new ConcurrentSkipListMap<>();
  private final AtomicBoolean overlapped = new AtomicBoolean();
  private final AtomicBoolean held = new AtomicBoolean();

  @AfterEach
  void stop() {
    server.close();
  }

  private void hold(long fence, boolean byPlainClient) throws InterruptedException {
    long from = System.nanoTime();
    if (held.getAndSet(true)) {
      overlapped.set(true);
    }
    Thread.sleep(HOLD_MS);
    held.set(false);
    byFence.put(fence, new Hold(from, System.nanoTime(), byPlainClient));
  }

  private boolean isOver() {
    return byFence.size() >= HOLDS;
  }

  private Void guard(String uri, long pauseMs) throws InterruptedException {
    try (SyncGuard guard = SyncGuard.open(uri)) {
      while (!isOver()) {
        try (LockHandle lock = guard.locks().lock("k")) {
          hold(lock.fence().toLong(), false);
        }
        Thread.sleep(pauseMs);
      }
    }
    return null;
  }

  private Void plainClient() throws InterruptedException {
    PlainClient client = new PlainClient(server, "k");
    while (!isOver()) {
      OptionalLong fence = client.acquireFenced();
      if (fence.isPresent()) {
        hold(fence.getAsLong(), true);
        assertThat(client.release()).isTrue();
      }
      Thread.sleep(HOLD_MS);
    }
    return null;
  }

  /** Has all of them take the lock in turns; returns how often plain clients had it. */
  private long holdsOfPlainClients(String parameters, long pauseMs) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(GUARDS + PLAIN_CLIENTS);
    try {
      List<Callable<Void>> clients = new ArrayList<>();
      for (int i = 0; i < GUARDS; i++) {
        clients.add(() -> guard(server.uri() + parameters, pauseMs));
      }
      for (int i = 0; i < PLAIN_CLIENTS; i++) {
        clients.add(this::plainClient);
      }
      for (Future<Void> client : threads.invokeAll(clients)) {
        client.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(overlapped).isFalse();
    long end = Long.MIN_VALUE;
    for (Hold next : byFence.values()) {
      assertThat(next.from()).as("in the order of fences").isGreaterThanOrEqualTo(end);
      end = next.to();
    }
    assertThat(byFence.lastKey()).as("a fence for each hold").isEqualTo(byFence.size());
    assertThat(((List<?>) server.command("KEYS", "syncguard:id:queue:*"))).isEmpty();
    return byFence.values().stream().filter(Hold::byPlainClient).count();
  }

  @Test
  void noTwoHoldALockAndPlainClientsAreServedWhileTheQueueIsEmpty() throws Exception {
    assertThat(holdsOfPlainClients("", 20)).isPositive();
  }

  @Test
  void noTwoHoldALockAndPlainClientsAreServedWhereReleasesTell() throws Exception {
    assertThat(holdsOfPlainClients("?releases=tell", 0)).isPositive();
  }
}
