package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.testkit.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Workers that take and release locks until they are stopped, and what they saw. */
final class LockLoad implements AutoCloseable {

  private final History history = new History();
  private final Queue<SyncGuardException> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean stopped;

  private LockLoad() {}

  /** Returns at once; each worker goes round the keys. */
  static LockLoad start(Locks locks, int workers, List<String> keys, LockOptions options) {
    LockLoad load = new LockLoad();
    for (int i = 0; i < workers; i++) {
      String name = "load-" + i;
      int first = i;
      Thread thread = new Thread(() -> load.work(name, locks, keys, first, options), name);
      thread.setDaemon(true);
      load.workers.add(thread);
    }
    load.workers.forEach(Thread::start);
    return load;
  }

  private void work(String name, Locks locks, List<String> keys, int first, LockOptions options) {
    for (int turn = first; !stopped; turn++) {
      String key = keys.get(turn % keys.size());
      try {
        LockHandle lock = locks.lock(key, options);
        History.Open hold = history.begin(name, key, lock.fence());
        Thread.onSpinWait();
        hold.end();
        lock.release();
      } catch (SyncGuardException e) {
        failures.add(e);
      }
    }
  }

  History history() {
    return history;
  }

  Queue<SyncGuardException> failures() {
    return failures;
  }

  /** Blocks until the workers have held a lock this many times more. */
  void awaitHolds(int more) throws InterruptedException {
    int enough = history.size() + more;
    eventually(() -> assertThat(history.size()).isGreaterThanOrEqualTo(enough));
  }

  /** Blocks until all workers have let go of what they held. */
  @Override
  public void close() throws InterruptedException {
    stopped = true;
    for (Thread worker : workers) {
      worker.join();
    }
  }
}
