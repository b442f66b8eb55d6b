package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.process.WorkerEvent.Acquired;
import io.syncguard.testkit.process.WorkerEvent.Ready;
import io.syncguard.testkit.process.WorkerEvent.Releasing;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
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
      new RetryPolicy(1_000_000, Duration.ofMillis(10), Backoff.FIXED, Jitter.EQUAL);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int LONGEST_HOLD_NANOS = 2_000_000;

  /** Unbuffered: what was written when the process is killed reaches its parent. */
  private static final FileOutputStream TO_PARENT = new FileOutputStream(FileDescriptor.out);

  private static volatile boolean toldToEnd;

  private ContendingWorker() {}

  /**
   * Blocks until told to end.
   *
   * @param args the store's URI, the key, the lifetime in milliseconds, a seed, and the name of a
   *     class that decorates the backend
   */
  public static void main(String[] args) throws Exception {
    Duration ttl = Duration.ofMillis(Long.parseLong(args[2]));
    Random random = new Random(Long.parseLong(args[3]));
    UnaryOperator<LockBackend> decoration = decoration(args[4]);
    DecoratedStore store =
        new DecoratedStore(StoreProvider.openStore(args[0], TimeSource.system()), decoration);
    LeaseStart leaseStart = new LeaseStart(store.locks());
    try (SyncGuard guard = SyncGuard.over(new DecoratedStore(store, backend -> leaseStart))) {
      tell(new Ready());
      awaitTheWord();
      LockOptions options =
          LockOptions.defaults().withTtl(ttl).withTimeout(PATIENCE).withRetry(OFTEN);
      while (!toldToEnd) {
        LockHandle lock = guard.locks().lock(args[1], options);
        long now = System.nanoTime();
        tell(new Acquired(lock.fence(), now, leaseStart.nanos() + ttl.toNanos()));
        hold(random);
        tell(new Releasing(System.nanoTime()));
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

  private static void tell(WorkerEvent event) throws IOException {
    TO_PARENT.write((event.line() + "\n").getBytes(UTF_8));
  }

  private static void awaitTheWord() throws IOException {
    toldToEnd = System.in.read() < 0;
    Thread listener = new Thread(ContendingWorker::awaitTheEnd, "parent");
    listener.setDaemon(true);
    listener.start();
  }

  private static void awaitTheEnd() {
    try {
      toldToEnd = System.in.read() < 0;
    } catch (IOException e) {
      toldToEnd = true;
    }
  }

  /** The class may be a test's own, so not public. */
  @SuppressWarnings("unchecked")
  private static UnaryOperator<LockBackend> decoration(String className) throws Exception {
    Constructor<? extends UnaryOperator<LockBackend>> constructor =
        (Constructor<? extends UnaryOperator<LockBackend>>)
            Class.forName(className).asSubclass(UnaryOperator.class).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }
}
