package io.syncguard.cli;

import io.syncguard.CancelSignal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the signals of this process. Before there is a command they end the wait for the
 * lock; while it runs they are passed on to it, unless it gets them by itself; after it has ended
 * they end the release. Those that the JVM keeps for itself (QUIT, KILL and the like) are not among
 * them.
 */
final class Signals implements AutoCloseable {

  private static final List<String> PASSED_ON = List.of("HUP", "INT", "TERM", "USR1", "USR2");

  private final CancelSignal whileWaiting = CancelSignal.create();
  private final Set<String> underWay = new HashSet<>();
  private @Nullable Witnesses witnesses;
  private @Nullable GuardedProcess command;
  private @Nullable Runnable afterwards;
  private boolean cameLate;
  private @Nullable OsSignal received;

  /** Begins to listen. */
  Signals() {
    for (String name : PASSED_ON) {
      OsSignal.listen(name, this::received);
    }
  }

  /** Is called in a thread of the signal's own. */
  private void received(OsSignal signal) {
    long arrivedAt = System.nanoTime();
    GuardedProcess target;
    Witnesses asked;
    boolean ended;
    synchronized (this) {
      if (command == null) {
        received = signal;
        whileWaiting.cancel();
        return;
      }
      // What comes again while it is being passed on is one signal, as the kernel has it.
      if (!underWay.add(signal.name())) {
        return;
      }
      target = command;
      asked = witnesses;
      ended = afterwards != null;
    }
    try {
      if (ended
          || !target.signal(
              signal.name(), asked == null ? Reach.ALONE : asked.reachOf(arrivedAt))) {
        comeLate();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      synchronized (this) {
        underWay.remove(signal.name());
      }
    }
  }

  /** The command may have ended only just now, and what to do instead not be known yet. */
  private void comeLate() {
    Runnable instead;
    synchronized (this) {
      cameLate = true;
      instead = afterwards;
    }
    if (instead != null) {
      instead.run();
    }
  }

  /** Returns what ends the wait. */
  CancelSignal whileWaiting() {
    return whileWaiting;
  }

  /** Is called before a command is started that is to get the signals of this process. */
  synchronized void prepareToPass() {
    witnesses = new Witnesses();
  }

  /** From now on passes on what comes, and what came before. */
  void passTo(GuardedProcess started) {
    OsSignal before;
    synchronized (this) {
      command = started;
      before = received;
    }
    if (before != null && !started.signal(before.name(), Reach.ALONE)) {
      comeLate();
    }
  }

  /**
   * Has it run instead when a signal comes, or if one came too late to reach the command: that has
   * ended.
   */
  synchronized void onceEnded(Runnable instead) {
    afterwards = instead;
    if (cameLate) {
      Thread thread = new Thread(instead, "syncguard-signal");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Returns why the wait ended, if a signal was the reason. */
  synchronized Optional<Failure> reason() {
    return Optional.ofNullable(received)
        .map(signal -> Failure.signalled(signal.number(), signal.name()));
  }

  @Override
  public synchronized void close() {
    if (witnesses != null) {
      witnesses.close();
    }
  }
}
