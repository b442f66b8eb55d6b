package io.syncguard.cli;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tell whom a signal that this process got was sent to. Java does not know who sent a signal, so
 * two small processes are looked at: a signal to the group of this process ends the one in it, and
 * only a signal to each process by itself ends also the one in a session of its own.
 */
final class Witnesses implements AutoCloseable {

  /** How long the end of a witness may take to be seen. */
  private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(150);

  private final Witness inGroup = new Witness(List.of("cat"));
  private final @Nullable Witness outside =
      Sessions.canBegin() ? new Witness(Sessions.inNew(List.of("cat"))) : null;

  /** Signals that are sent to the same processes one right after the other, as systemd does. */
  private static final long TOGETHER_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private long lastArrivedAt = System.nanoTime() - TOGETHER_NS;
  private Reach lastSeen = Reach.ALONE;

  /**
   * Blocks for a moment; returns who got a signal.
   *
   * @param arrivedAt when this process got it, in {@link System#nanoTime}
   */
  synchronized Reach reachOf(long arrivedAt) throws InterruptedException {
    // One witness dies once of signals that come together, such as systemd's TERM and HUP.
    if (arrivedAt - lastArrivedAt < TOGETHER_NS) {
      return lastSeen;
    }
    long deadline = System.nanoTime() + PATIENCE_NS;
    if (!inGroup.saw(arrivedAt, deadline)) {
      return Reach.ALONE;
    }
    lastArrivedAt = arrivedAt;
    lastSeen = outside != null && outside.saw(arrivedAt, deadline) ? Reach.SERVICE : Reach.GROUP;
    return lastSeen;
  }

  @Override
  public synchronized void close() {
    inGroup.close();
    if (outside != null) {
      outside.close();
    }
  }
}
