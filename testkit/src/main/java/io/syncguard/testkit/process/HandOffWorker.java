package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.history.HandOffHistory.Passage;
import io.syncguard.testkit.history.LockRecorder;
import io.syncguard.testkit.history.PermitRecorder;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process whose threads acquire and release a lock or a semaphore's slots. It begins when it
 * reads a byte and ends when all is done, or when its parent has ended.
 */
final class HandOffWorker {
  static final String READY = "ready";

  /** In the place of a limit: a lock is passed on. */
  static final String LOCK = "lock";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** No worker is to be taken for dead. */
  private static final SemaphoreOptions PERMIT_OPTIONS =
      SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(20)).withMaxWait(PATIENCE);

  private static final LockOptions LOCK_OPTIONS =
      LockOptions.defaults().withTtl(Duration.ofMinutes(5)).withMaxWait(PATIENCE);

  private static final OutputStream PASSAGES =
      new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));

  private HandOffWorker() {}

  /**
   * Blocks until all is done.
   *
   * @param args the store's URI, the name, the semaphore's limit or {@link #LOCK}, how many
   *     threads, how often all of them together, for how many nanoseconds, and the name of a class
   *     that decorates the store
   */
  public static void main(String[] args) throws Exception {
    Store store =
        new DecoratedStore(
            StoreProvider.openStore(args[0], TimeSource.system()), Parent.decoration(args[6]));
    boolean isLock = args[2].equals(LOCK);
    Store recorded =
        isLock
            ? new LockRecorder(HandOffWorker::tell).over(store)
            : new PermitRecorder(HandOffWorker::tell).over(store);
    try (SyncGuard guard = SyncGuard.over(recorded)) {
      long holdNanos = Long.parseLong(args[5]);
      Runnable passage =
          isLock
              ? passage(guard.locks(), args[1], holdNanos)
              : passage(
                  guard.semaphore(args[1], Integer.parseInt(args[2]), PERMIT_OPTIONS), holdNanos);
      Parent.tell(READY);
      Parent.awaitTheWord();
      pass(passage, Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    }
    PASSAGES.flush();
  }

  private static Runnable passage(Locks locks, String key, long holdNanos) {
    return () -> {
      LockHandle lock = locks.lock(key, LOCK_OPTIONS);
      LockSupport.parkNanos(holdNanos);
      if (!lock.release().isReleased()) {
        throw new IllegalStateException("The lock was lost: " + lock);
      }
    };
  }

  private static Runnable passage(FairSemaphore semaphore, long holdNanos) {
    return () -> {
      Permit permit = semaphore.acquire();
      LockSupport.parkNanos(holdNanos);
      if (!permit.release().isReleased()) {
        throw new IllegalStateException("The permit was lost: " + permit);
      }
    };
  }

  private static void pass(Runnable passage, int threads, int times) {
    AtomicInteger left = new AtomicInteger(times);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      done.add(CompletableFuture.runAsync(() -> passWhileLeft(passage, left), pool));
    }
    try {
      done.forEach(CompletableFuture::join);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void passWhileLeft(Runnable passage, AtomicInteger left) {
    while (left.getAndDecrement() > 0 && !Parent.saidToEnd()) {
      passage.run();
    }
  }

  private static void tell(Passage passage) {
    byte[] line = (PassageLine.of(passage) + "\n").getBytes(US_ASCII);
    try {
      PASSAGES.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
