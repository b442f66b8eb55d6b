package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Interception;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A process whose waiters want one lock. It does what it reads, and ends when there is nothing more
 * to read, so that it does not outlive its parent.
 */
final class LockWorker {
  static final String WAIT = "wait";
  static final String RELEASE = "release";
  static final String QUEUED = "queued";
  static final String HELD = "held";
  static final String RELEASED = "released";

  private static final LockOptions OPTIONS =
      LockOptions.defaults().withTtl(Duration.ofMinutes(5)).withMaxWait(Duration.ofMinutes(2));

  private static final Set<LockId> JOINED = ConcurrentHashMap.newKeySet();

  private LockWorker() {}

  /**
   * Blocks until told to end.
   *
   * @param args the store's URI, the key
   */
  public static void main(String[] args) throws Exception {
    DecoratedStore store =
        new DecoratedStore(
            StoreProvider.openStore(args[0], TimeSource.system()),
            Interception.on(LockOperation.Acquire.class, LockWorker::acquire));
    try (SyncGuard guard = SyncGuard.over(store);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      BlockingQueue<LockHandle> held = new LinkedBlockingQueue<>();
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        if (order.equals(WAIT)) {
          guard.locks().async().lock(args[1], OPTIONS).thenAccept(lock -> hold(lock, held));
        } else {
          ReleaseResult result = held.take().release();
          tell(result == ReleaseResult.RELEASED ? RELEASED : "nothing to release: " + result);
        }
      }
    }
  }

  private static CompletionStage<AcquireAttempt> acquire(
      LockOperation.Acquire acquire, Call call, OperationExecutor next) {
    return next.execute(acquire, call)
        .thenApply(
            answer -> {
              if (answer instanceof AcquireAttempt.Queued && JOINED.add(acquire.lockId())) {
                tell(QUEUED);
              }
              return answer;
            });
  }

  private static void hold(LockHandle lock, BlockingQueue<LockHandle> held) {
    held.add(lock);
    tell(HELD);
  }

  private static void tell(String line) {
    try {
      Parent.tell(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
