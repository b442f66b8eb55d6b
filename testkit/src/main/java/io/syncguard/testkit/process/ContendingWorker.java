package io.syncguard.testkit.process;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.process.WorkerEvent.Acquired;
import io.syncguard.testkit.process.WorkerEvent.Ready;
import io.syncguard.testkit.process.WorkerEvent.Releasing;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * A process that takes and frees one lock over and over. It begins when it reads a byte and ends
 * when there is nothing more to read, so that it does not outlive its parent.
 */
final class ContendingWorker {
  private static final RetryPolicy OFTEN =
      RetryPolicy.defaults()
          .withMaxRetries(1_000_000)
          .withDelay(Duration.ofMillis(10))
          .withBackoff(Backoff.FIXED)
          .withJitter(Jitter.EQUAL);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int LONGEST_HOLD_NANOS = 2_000_000;

  private ContendingWorker() {}

  /**
   * Blocks until told to end.
   *
   * @param args the store's URI, the key, the lifetime in milliseconds, a seed, and the name of a
   *     class that decorates the store
   */
  public static void main(String[] args) throws Exception {
    Duration ttl = Duration.ofMillis(Long.parseLong(args[2]));
    Random random = new Random(Long.parseLong(args[3]));
    UnaryOperator<OperationExecutor> decoration = Parent.decoration(args[4]);
    DecoratedStore store =
        new DecoratedStore(StoreProvider.openStore(args[0], TimeSource.system()), decoration);
    LeaseStart leaseStart = new LeaseStart();
    try (SyncGuard guard = SyncGuard.over(new DecoratedStore(store, leaseStart))) {
      Parent.tell(new Ready().line());
      Parent.awaitTheWord();
      LockOptions options =
          LockOptions.defaults().withTtl(ttl).withMaxWait(PATIENCE).withRetry(OFTEN);
      while (!Parent.saidToEnd()) {
        LockHandle lock = guard.locks().lock(args[1], options);
        long now = System.nanoTime();
        Parent.tell(new Acquired(lock.fence(), now, leaseStart.nanos() + ttl.toNanos()).line());
        hold(random);
        Parent.tell(new Releasing(System.nanoTime()).line());
        lock.release();
      }
    }
  }

  /** Every other hold is as short as can be. */
  private static void hold(Random random) {
    if (random.nextBoolean()) {
      LockSupport.parkNanos(random.nextInt(LONGEST_HOLD_NANOS));
    }
  }
}
