package io.syncguard.testkit.process;

import java.util.List;

/**
 * A separate JVM whose waiters want one lock, and that can be killed or paused. It opens the store
 * by its URI. Thread-safe.
 */
public final class LockProcess implements AutoCloseable {

  private final OrderedProcess process;

  private LockProcess(List<String> args) {
    this.process = new OrderedProcess("lock", LockWorker.class, args);
  }

  /** Starts it and returns at once; it waits for the lock when told to. */
  public static LockProcess start(String uri, String key) {
    return new LockProcess(List.of(uri, key));
  }

  /** Blocks until so many waiters more have joined the queue; another client holds the lock. */
  public void queue(int waiters) {
    int before = process.count(LockWorker.QUEUED);
    for (int i = 0; i < waiters; i++) {
      process.tell(LockWorker.WAIT);
    }
    process.await(LockWorker.QUEUED, before + waiters);
  }

  /** Returns how many of its waiters have got the lock so far. */
  public int held() {
    return process.count(LockWorker.HELD);
  }

  /** Blocks until one of its waiters has got the lock. */
  public void awaitHeld() {
    process.await(LockWorker.HELD);
  }

  /** Blocks until it has released the lock. */
  public void release() {
    process.tell(LockWorker.RELEASE);
    process.await(LockWorker.RELEASED);
  }

  /** Sends SIGKILL, and returns at once. */
  public void kill() {
    process.kill();
  }

  /** Sends SIGSTOP. */
  public void pause() {
    process.pause();
  }

  /** Sends SIGCONT. */
  public void resume() {
    process.resume();
  }

  /** Kills it, if it is still there. */
  @Override
  public void close() {
    process.close();
  }
}
