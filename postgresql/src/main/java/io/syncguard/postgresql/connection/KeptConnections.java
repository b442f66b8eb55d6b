package io.syncguard.postgresql.connection;

import io.syncguard.jdbc.script.WorkerThreads;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Connections of a user's DataSource that the next operation may have without asking for one. They
 * are kept for a moment only, since they are the user's. Thread-safe.
 */
final class KeptConnections implements AutoCloseable {

  /** Long enough for the next operation of a process that is busy. */
  private static final long IDLE_NANOS = Duration.ofMillis(2).toNanos();

  /**
   * Then it goes back, however busy the process is: the application wants one too, and pools renew
   * theirs.
   */
  private static final long LONGEST_NANOS = Duration.ofMillis(100).toNanos();

  private record Kept(Connections.Taken taken, long since) {}

  private final ConcurrentLinkedDeque<Kept> idle = new ConcurrentLinkedDeque<>();
  private final AtomicBoolean returning = new AtomicBoolean();
  private final WorkerThreads returner;
  private volatile boolean closed;

  KeptConnections(Duration timeout) {
    this.returner = new WorkerThreads("syncguard-postgres-returning", 1, timeout);
  }

  /** Returns at once the one that was used last, or null. */
  Connections.@Nullable Taken poll() {
    Kept kept = idle.pollFirst();
    return kept == null ? null : kept.taken();
  }

  /** Keeps it for a moment, unless it was away for too long already. */
  void keep(Connections.Taken taken) {
    long now = System.nanoTime();
    if (closed || now - taken.takenAt() >= LONGEST_NANOS) {
      taken.giveBack();
      return;
    }
    idle.addFirst(new Kept(taken, now));
    if (closed) {
      giveBackAll();
    } else if (returning.compareAndSet(false, true)) {
      beginToReturn();
    }
  }

  private void beginToReturn() {
    try {
      returner.execute(this::giveBackUntilNoneIsLeft);
    } catch (RuntimeException | Error e) {
      returning.set(false);
      giveBackAll();
    }
  }

  private void giveBackUntilNoneIsLeft() {
    do {
      while (!idle.isEmpty()) {
        LockSupport.parkNanos(this, IDLE_NANOS);
        giveBackUnused();
      }
      returning.set(false);
    } while (!idle.isEmpty() && returning.compareAndSet(false, true));
  }

  /** Those at the end have not been used for longest. */
  private void giveBackUnused() {
    long before = System.nanoTime() - IDLE_NANOS;
    Kept last = idle.peekLast();
    while (last != null && before - last.since() >= 0) {
      if (idle.remove(last)) {
        last.taken().giveBack();
      }
      last = idle.peekLast();
    }
  }

  private void giveBackAll() {
    for (Kept kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      kept.taken().giveBack();
    }
  }

  /** Gives back what is kept; nothing is kept any more. */
  @Override
  public void close() {
    closed = true;
    giveBackAll();
    returner.close();
  }
}
