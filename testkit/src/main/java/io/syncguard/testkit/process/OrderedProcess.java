package io.syncguard.testkit.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker that is given orders and tells what came of them, a line each. Thread-safe. */
final class OrderedProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> told = new ArrayList<>();
  private final WorkerProcess worker;

  OrderedProcess(String name, Class<?> main, List<String> args) {
    this.worker = WorkerProcess.start(name, main, args, new Inbox());
  }

  /** Gives an order, and returns at once. */
  void tell(String order) {
    worker.tell(order);
  }

  /** Blocks until it has told a line. */
  void await(String line) {
    await(line, 1);
  }

  /** Blocks until it has told a line so many times. */
  synchronized void await(String line, int times) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (count(line) < times) {
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

  /** Returns how often it has told a line so far. */
  synchronized int count(String line) {
    return (int) told.stream().filter(line::equals).count();
  }

  private synchronized void note(String line) {
    told.add(line);
    notifyAll();
  }

  /** Sends SIGKILL, and returns at once. */
  void kill() {
    worker.kill();
  }

  /** Sends SIGSTOP. */
  void pause() {
    worker.signal("STOP");
  }

  /** Sends SIGCONT. */
  void resume() {
    worker.signal("CONT");
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
