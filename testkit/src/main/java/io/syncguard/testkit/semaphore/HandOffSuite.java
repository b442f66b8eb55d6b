package io.syncguard.testkit.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.testkit.history.HandOffHistory;
import io.syncguard.testkit.history.PermitRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Thousands of hand-offs between clients, recorded and checked. */
public interface HandOffSuite extends SemaphoreSuite {

  /** How long a permit is held, so that other workers come to wait. */
  long HOLD_NANOS = 20_000;

  /** Returns how many hand-offs each of these tests records; a slow store may do with fewer. */
  default int handOffs() {
    return 4000;
  }

  @Test
  default void aSingleSlotIsHandedOverInOrder() throws Exception {
    checkHandOffs(1, 8);
  }

  @Test
  default void severalSlotsAreHandedOverInOrder() throws Exception {
    checkHandOffs(4, 16);
  }

  private void checkHandOffs(int limit, int workers) throws Exception {
    String name = newName();
    HandOffHistory history = new HandOffHistory(limit);
    List<FairSemaphore> clients = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SyncGuard client = openOver(guardOptions(), new PermitRecorder(history::add)::over);
      clients.add(client.semaphore(name, limit));
    }
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<CompletableFuture<Void>> done = new ArrayList<>();
      for (int worker = 0; worker < workers; worker++) {
        FairSemaphore semaphore = clients.get(worker % clients.size());
        done.add(
            CompletableFuture.runAsync(
                () -> passThrough(semaphore, handOffs() / workers), threads));
      }
      done.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
    assertThat(history.size()).isEqualTo(handOffs() / workers * workers);
    assertThat(history.waited()).as("how many had to wait").isGreaterThan(handOffs() / 10);
    history.check();
    assertThat(otherGuard().semaphores().stats(name)).isEmpty();
  }

  private static void passThrough(FairSemaphore semaphore, int times) {
    for (int i = 0; i < times; i++) {
      try (Permit permit = semaphore.acquire(PATIENCE)) {
        assertThat(permit.isHeld()).isTrue();
        LockSupport.parkNanos(HOLD_NANOS);
      }
    }
  }
}
