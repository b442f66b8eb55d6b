package io.syncguard.testkit.process;

import io.syncguard.testkit.history.HandOffHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run: workers begin together, tell of each passage, and end by themselves. */
final class HandOffRun implements WorkerProcess.Listener, AutoCloseable {
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

  private final ProcessHandOffs plan;
  private final HandOffHistory history;
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final CountDownLatch ready;
  private final CountDownLatch ended;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  HandOffRun(ProcessHandOffs plan) {
    this.plan = plan;
    this.history = plan.emptyHistory();
    this.ready = new CountDownLatch(plan.processes());
    this.ended = new CountDownLatch(plan.processes());
  }

  HandOffResult toItsEnd() {
    for (int i = 1; i <= plan.processes(); i++) {
      workers.add(WorkerProcess.start("worker " + i, HandOffWorker.class, plan.workerArgs(), this));
    }
    await(ready);
    long begunAt = System.nanoTime();
    workers.forEach(WorkerProcess::begin);
    await(ended);
    return new HandOffResult(history, Duration.ofNanos(System.nanoTime() - begunAt));
  }

  @Override
  public void told(WorkerProcess worker, String line) {
    if (line.equals(HandOffWorker.READY)) {
      ready.countDown();
    } else {
      PassageLine.parse(line).ifPresent(history::add);
    }
  }

  @Override
  public void ended(WorkerProcess worker, int exitCode) {
    if (exitCode != 0) {
      String said = worker.name() + " ended with exit code " + exitCode + ":\n" + worker.errors();
      failure.compareAndSet(null, said);
    }
    ready.countDown();
    ended.countDown();
  }

  private void await(CountDownLatch latch) {
    try {
      int before;
      do {
        before = history.size();
        if (latch.await(LONGEST_SILENCE.toMillis(), TimeUnit.MILLISECONDS)) {
          checkFailure();
          return;
        }
      } while (history.size() > before);
      checkFailure();
      throw new IllegalStateException(
          "No worker acquired anything for " + LONGEST_SILENCE + ", after " + before);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted after " + history.size() + " hand-offs", e);
    }
  }

  private void checkFailure() {
    String said = failure.get();
    if (said != null) {
      throw new IllegalStateException(said);
    }
  }

  /** Leaves no process behind, whatever happened. */
  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
  }
}
