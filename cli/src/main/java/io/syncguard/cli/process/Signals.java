package io.syncguard.cli.process;

import io.syncguard.CancelSignal;
import io.syncguard.cli.output.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the signals of this process. Before there is a command they end the wait for the
 * lock; while it runs they are passed on to it, unless it gets them by itself; after it has ended
 * they end the release. Those that the JVM keeps for itself (QUIT, KILL and the like) are not among
 * them.
 *
 * <p>One thread passes them on, one after the other, and begins when the command has been started:
 * those that come meanwhile wait for it.
 */
public final class Signals implements AutoCloseable {

  private static final List<String> PASSED_ON = List.of("HUP", "INT", "TERM", "USR1", "USR2");

  /** Signals that are sent to the same processes one right after the other, as systemd does. */
  private static final long TOGETHER_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final CancelSignal whileWaiting = CancelSignal.create();

  /**
   * Those that have not been looked at yet, in the order in which they came, and when that was, in
   * {@link System#nanoTime}. A signal that comes again meanwhile is one signal, as the kernel has
   * it.
   */
  private final Map<OsSignal, Long> pending = new LinkedHashMap<>();

  private @Nullable Witnesses witnesses;
  private @Nullable Thread passing;
  private @Nullable Runnable afterwards;
  private boolean cameLate;

  /** Begins to listen. */
  public Signals() {
    for (String name : PASSED_ON) {
      OsSignal.listen(name, this::received);
    }
  }

  /** Is called in the thread that the JVM has for this signal. */
  private void received(OsSignal signal) {
    long arrivedAt = System.nanoTime();
    synchronized (this) {
      if (afterwards != null) {
        comeLate();
        return;
      }
      pending.putIfAbsent(signal, arrivedAt);
      notifyAll();
      if (passing == null) {
        whileWaiting.cancel();
      }
    }
  }

  /** The command may have ended only just now, before {@link #onceEnded} was called. */
  private synchronized void comeLate() {
    if (!cameLate) {
      cameLate = true;
      runAfterwards();
    }
  }

  private synchronized void runAfterwards() {
    if (cameLate && afterwards != null) {
      startDaemon(afterwards);
    }
  }

  private static Thread startDaemon(Runnable task) {
    Thread thread = new Thread(task, "syncguard-signal");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Returns what ends the wait. */
  public CancelSignal whileWaiting() {
    return whileWaiting;
  }

  /** Is called before a command is started that is to get the signals of this process. */
  public synchronized void prepareToPass() {
    witnesses = new Witnesses();
  }

  /** Begins to pass on the signals that come, and those that came before. */
  public synchronized void passTo(GuardedProcess command) {
    Witnesses asked = Objects.requireNonNull(witnesses, "Not prepared");
    passing = startDaemon(() -> passAll(command, asked));
  }

  private void passAll(GuardedProcess command, Witnesses asked) {
    try {
      while (true) {
        pass(nextTogether(), command, asked);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void pass(Map<OsSignal, Long> together, GuardedProcess command, Witnesses asked)
      throws InterruptedException {
    Reach reach = asked.reachOf(together);
    forget(together);
    for (Map.Entry<OsSignal, Long> signal : together.entrySet()) {
      if (!command.signal(signal.getKey().name(), signal.getValue(), reach)) {
        comeLate();
      }
    }
  }

  /** Blocks until a signal has come, and those that were sent along with it. */
  private synchronized Map<OsSignal, Long> nextTogether() throws InterruptedException {
    while (pending.isEmpty()) {
      wait();
    }
    long end = pending.values().iterator().next() + TOGETHER_NS;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return pending.entrySet().stream()
        .filter(signal -> signal.getValue() - end < 0)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
  }

  private synchronized void forget(Map<OsSignal, Long> passed) {
    pending.keySet().removeAll(passed.keySet());
  }

  /**
   * Has this run instead when a signal comes, or if a signal came too late to reach the command:
   * that has ended.
   */
  public synchronized void onceEnded(Runnable instead) {
    afterwards = instead;
    runAfterwards();
  }

  /** Returns why the wait ended, if a signal was the reason. */
  public synchronized Optional<Failure> reason() {
    return pending.keySet().stream()
        .findFirst()
        .map(signal -> Failure.signalled(signal.number(), signal.name()));
  }

  @Override
  public synchronized void close() {
    if (passing != null) {
      passing.interrupt();
    }
    if (witnesses != null) {
      witnesses.close();
    }
  }
}
