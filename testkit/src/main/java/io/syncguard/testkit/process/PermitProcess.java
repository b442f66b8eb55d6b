package io.syncguard.testkit.process;

import io.syncguard.semaphore.SemaphoreOptions;
import java.util.List;

/**
 * A separate JVM that wants one permit of a semaphore, and can be killed or paused. It opens the
 * store by its URI. Thread-safe.
 */
public final class PermitProcess implements AutoCloseable {

  private final OrderedProcess process;

  private PermitProcess(List<String> args) {
    this.process = new OrderedProcess("permit", PermitWorker.class, args);
  }

  /** Starts it and returns at once; it acquires when told to. */
  public static PermitProcess start(String uri, String name, int limit, SemaphoreOptions options) {
    return new PermitProcess(
        List.of(uri, name, Integer.toString(limit), Long.toString(options.heartbeat().toMillis())));
  }

  /** Has it wait for a permit, and returns at once. */
  public void acquire() {
    process.tell(PermitWorker.ACQUIRE);
  }

  /** Has it release its permit, and returns at once. */
  public void release() {
    process.tell(PermitWorker.RELEASE);
  }

  /** Blocks until it holds its permit. */
  public void awaitHeld() {
    process.await(PermitWorker.HELD);
  }

  /** Blocks until its permit has told it that it is lost. */
  public void awaitLost() {
    process.await(PermitWorker.LOST);
  }

  /** Blocks until its release was answered that there is nothing to release. */
  public void awaitNothingToRelease() {
    process.await(PermitWorker.NOTHING_TO_RELEASE);
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
