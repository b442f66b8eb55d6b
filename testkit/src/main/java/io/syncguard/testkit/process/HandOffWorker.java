package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.history.PermitRecorder;
import io.syncguard.testkit.history.SemaphoreHistory.Passage;
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
import java.util.function.UnaryOperator;

/**
 * A process whose threads acquire and release a semaphore's slots. It begins when it reads a byte
 * and ends when all is done, or when its parent has ended.
 */
final class HandOffWorker {
  static final String READY = "ready";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** No worker is to be taken for dead. */
  private static final SemaphoreOptions OPTIONS =
      SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(20)).withMaxWait(PATIENCE);

  private static final OutputStream PASSAGES =
      new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));

  private HandOffWorker() {}

  /**
   * Blocks until all is done.
   *
   * @param args the store's URI, the semaphore's name and limit, how many threads, how often all of
   *     them together, for how many nanoseconds, and the name of a class that decorates the store
   */
  public static void main(String[] args) throws Exception {
    UnaryOperator<OperationExecutor> decoration = Parent.decoration(args[6]);
    PermitRecorder recorder = new PermitRecorder(HandOffWorker::tell);
    DecoratedStore store =
        new DecoratedStore(
            StoreProvider.openStore(args[0], TimeSource.system()),
            next -> recorder.apply(decoration.apply(next)));
    try (SyncGuard guard = SyncGuard.over(store)) {
      FairSemaphore semaphore = guard.semaphore(args[1], Integer.parseInt(args[2]), OPTIONS);
      Parent.tell(READY);
      Parent.awaitTheWord();
      pass(semaphore, Integer.parseInt(args[3]), Integer.parseInt(args[4]), args[5]);
    }
    PASSAGES.flush();
  }

  private static void pass(FairSemaphore semaphore, int threads, int times, String holdNanos) {
    AtomicInteger left = new AtomicInteger(times);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      done.add(
          CompletableFuture.runAsync(
              () -> passWhileLeft(semaphore, left, Long.parseLong(holdNanos)), pool));
    }
    try {
      done.forEach(CompletableFuture::join);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void passWhileLeft(FairSemaphore semaphore, AtomicInteger left, long holdNanos) {
    while (left.getAndDecrement() > 0 && !Parent.saidToEnd()) {
      Permit permit = semaphore.acquire();
      LockSupport.parkNanos(holdNanos);
      if (!permit.release().isReleased()) {
        throw new IllegalStateException("The permit was lost: " + permit);
      }
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
