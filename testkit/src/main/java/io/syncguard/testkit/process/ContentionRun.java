package io.syncguard.testkit.process;

import io.syncguard.testkit.process.WorkerEvent.Acquired;
import io.syncguard.testkit.process.WorkerEvent.Ended;
import io.syncguard.testkit.process.WorkerEvent.Ready;
import io.syncguard.testkit.process.WorkerEvent.Releasing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One run: everything the workers tell is handled in one thread, in the order it arrives. */
final class ContentionRun implements AutoCloseable {
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

  private record Message(WorkerProcess from, WorkerEvent event) {}

  private final ProcessContention plan;
  private final Random random;
  private final RecordedHolds holds;
  private final Queue<Integer> killsDue = new PriorityQueue<>();
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

  /** Those that were neither killed nor told to end. */
  private final List<WorkerProcess> active = new ArrayList<>();

  private final Set<WorkerProcess> notEnded = new LinkedHashSet<>();
  private final Set<WorkerProcess> ready = new HashSet<>();
  private final Set<String> successful = new HashSet<>();
  private int started;
  private int acquisitions;
  private int kills;

  ContentionRun(ProcessContention plan) {
    this.plan = plan;
    this.random = new Random(plan.seed());
    this.holds = new RecordedHolds(plan.key());
    for (int i = 0; i < plan.kills(); i++) {
      killsDue.add(1 + random.nextInt(plan.acquisitions()));
    }
  }

  ContentionResult toItsEnd() {
    for (int i = 0; i < plan.processes(); i++) {
      startWorker();
    }
    while (acquisitions < plan.acquisitions()) {
      handle(nextMessage());
    }
    active.forEach(WorkerProcess::end);
    active.clear();
    while (!notEnded.isEmpty()) {
      handle(nextMessage());
    }
    return new ContentionResult(
        holds.history(),
        acquisitions,
        kills,
        holds.abandoned(),
        holds.stalled(),
        successful.size());
  }

  private void startWorker() {
    String name = "worker " + ++started;
    WorkerProcess worker =
        WorkerProcess.start(
            name, ContendingWorker.class, plan.workerArgs(random.nextLong()), new Inbox());
    active.add(worker);
    notEnded.add(worker);
  }

  private final class Inbox implements WorkerProcess.Listener {

    @Override
    public void told(WorkerProcess worker, String line) {
      WorkerEvent.parse(line).ifPresent(event -> messages.add(new Message(worker, event)));
    }

    @Override
    public void ended(WorkerProcess worker, int exitCode) {
      messages.add(new Message(worker, new Ended(exitCode)));
    }
  }

  private Message nextMessage() {
    try {
      Message message = messages.poll(LONGEST_SILENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (message == null) {
        throw new IllegalStateException(
            "No worker took the lock for " + LONGEST_SILENCE + ", after " + acquisitions);
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted after " + acquisitions + " acquisitions", e);
    }
  }

  private void handle(Message message) {
    WorkerProcess worker = message.from;
    if (message.event instanceof Ready) {
      beginTogether(worker);
    } else if (message.event instanceof Acquired acquired) {
      acquisitions++;
      successful.add(worker.name());
      holds.acquired(worker.name(), acquired);
      killIfDue(worker);
    } else if (message.event instanceof Releasing releasing) {
      holds.releasing(worker.name(), releasing.atNanos());
    } else if (message.event instanceof Ended ended) {
      holds.ended(worker.name());
      end(worker, ended.exitCode());
    }
  }

  private void beginTogether(WorkerProcess worker) {
    ready.add(worker);
    if (ready.size() == plan.processes()) {
      ready.forEach(WorkerProcess::begin);
    } else if (ready.size() > plan.processes()) {
      worker.begin();
    }
  }

  private void killIfDue(WorkerProcess holder) {
    Integer due = killsDue.peek();
    if (due == null || due > acquisitions) {
      return;
    }
    killsDue.remove();
    boolean killHolder = random.nextBoolean() && active.contains(holder);
    WorkerProcess victim = killHolder ? holder : active.get(random.nextInt(active.size()));
    victim.kill();
    kills++;
    active.remove(victim);
    startWorker();
  }

  private void end(WorkerProcess worker, int exitCode) {
    notEnded.remove(worker);
    boolean failed = !worker.wasKilled() && (exitCode != 0 || active.contains(worker));
    String errors = failed ? worker.errors() : "";
    worker.close();
    if (failed) {
      throw new IllegalStateException(
          worker.name() + " ended with exit code " + exitCode + ":\n" + errors);
    }
  }

  /** Leaves no process behind, whatever happened. */
  @Override
  public void close() {
    notEnded.forEach(WorkerProcess::close);
  }
}
