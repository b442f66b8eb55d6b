package io.syncguard.testkit.process;

import io.syncguard.semaphore.SemaphoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A separate JVM that wants one permit of a semaphore, and can be killed or paused. It opens the
 * store by its URI. Thread-safe.
 */
public final class PermitProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> told = new ArrayList<>();
  private final WorkerProcess worker;

  private PermitProcess(List<String> args) {
    this.worker = WorkerProcess.start("permit", PermitWorker.class, args, new Inbox());
  }

  /** Starts it and returns at once; it acquires when told to. */
  public static PermitProcess start(String uri, String name, int limit, SemaphoreOptions options) {
    return new PermitProcess(
        List.of(uri, name, Integer.toString(limit), Long.toString(options.heartbeat().toMillis())));
  }

  /** Has it wait for a permit, and returns at once. */
  public void acquire() {
    worker.tell(PermitWorker.ACQUIRE);
  }

  /** Has it release its permit, and returns at once. */
  public void release() {
    worker.tell(PermitWorker.RELEASE);
  }

  /** Blocks until it holds its permit. */
  public void awaitHeld() {
    await(PermitWorker.HELD);
  }

  /** Blocks until its permit has told it that it is lost. */
  public void awaitLost() {
    await(PermitWorker.LOST);
  }

  /** Blocks until its release was answered that there is nothing to release. */
  public void awaitNothingToRelease() {
    await(PermitWorker.NOTHING_TO_RELEASE);
  }

  /** Sends SIGKILL, and returns at once. */
  public void kill() {
    worker.kill();
  }

  /** Sends SIGSTOP. */
  public void pause() {
    worker.signal("STOP");
  }

  /** Sends SIGCONT. */
  public void resume() {
    worker.signal("CONT");
  }

  private synchronized void await(String line) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!told.contains(line)) {
        long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        if (left <= 0) {
          throw new IllegalStateException(
              "It did not say " + line + " but " + told + ":\n" + worker.errors());
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for: " + line, e);
    }
  }

  private synchronized void note(String line) {
    told.add(line);
    notifyAll();
  }

  /** Kills it, if it is still there. */
  @Override
  public void close() {
    worker.close();
  }

  private final class Inbox implements WorkerProcess.Listener {

    @Override
    public void told(WorkerProcess process, String line) {
      note(line);
    }

    @Override
    public void ended(WorkerProcess process, int exitCode) {
      note("ended with exit code " + exitCode);
    }
  }
}
