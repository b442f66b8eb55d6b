package io.syncguard.test;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Time that a test moves. {@link #flowing} time goes on by itself as well; {@link #frozen} time
 * stands still, and a thread that waits on it finds the time passed at once, so that waiting can be
 * tested without waiting. Thread-safe.
 */
public final class MovableTime implements TimeSource {

  private final boolean frozen;
  private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::due));
  private final List<Duration> naps = new ArrayList<>();
  private volatile long movedNanos;
  private volatile @Nullable Runnable duringNap;

  private MovableTime(boolean frozen) {
    this.frozen = frozen;
  }

  /** Returns time that flows as the machine's does, and can be moved forward. */
  public static MovableTime flowing() {
    return new MovableTime(false);
  }

  /** Returns time that moves only when it is advanced or waited for. */
  public static MovableTime frozen() {
    return new MovableTime(true);
  }

  /** Moves time forward, runs in this thread what is due, and wakes the threads that wait. */
  public void advance(Duration duration) {
    synchronized (this) {
      movedNanos += duration.toNanos();
    }
    for (Task due = nextDue(); due != null; due = nextDue()) {
      due.run();
    }
    waiting.forEach(Semaphore::release);
  }

  private synchronized @Nullable Task nextDue() {
    Task first = tasks.peek();
    return first != null && first.due() - nanoTime() <= 0 ? tasks.poll() : null;
  }

  /** Returns how long each wait on frozen time was asked to last. */
  public synchronized List<Duration> naps() {
    return List.copyOf(naps);
  }

  /** Has something happen during each wait on frozen time, before its time has passed. */
  public void duringEachNap(Runnable action) {
    duringNap = action;
  }

  @Override
  public long nanoTime() {
    return movedNanos + (frozen ? 0 : System.nanoTime());
  }

  @Override
  public long currentTimeMillis() {
    return movedNanos / 1_000_000 + System.currentTimeMillis();
  }

  @Override
  public long currentTimeNanos() {
    return movedNanos + TimeSource.system().currentTimeNanos();
  }

  @Override
  public Timer schedule(Runnable action, Duration delay) {
    Task task = new Task(action, nanoTime() + delay.toNanos());
    synchronized (this) {
      tasks.add(task);
    }
    Timer real = frozen ? () -> {} : TimeSource.system().schedule(task::run, delay);
    return () -> {
      task.cancel();
      synchronized (this) {
        tasks.remove(task);
      }
      real.cancel();
    };
  }

  @Override
  public boolean await(Semaphore permits, long nanos) throws InterruptedException {
    if (frozen) {
      return awaitFrozen(permits, nanos);
    }
    waiting.add(permits);
    try {
      return permits.tryAcquire(nanos, java.util.concurrent.TimeUnit.NANOSECONDS);
    } finally {
      waiting.remove(permits);
    }
  }

  private boolean awaitFrozen(Semaphore permits, long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Duration nap = Duration.ofNanos(nanos);
    synchronized (this) {
      naps.add(nap);
    }
    Runnable action = duringNap;
    if (action != null) {
      action.run();
    }
    if (permits.tryAcquire()) {
      return true;
    }
    advance(nap);
    return permits.tryAcquire();
  }

  private static final class Task {

    private final Runnable action;
    private final long due;
    private final AtomicBoolean done = new AtomicBoolean();

    private Task(Runnable action, long due) {
      this.action = action;
      this.due = due;
    }

    private long due() {
      return due;
    }

    private void run() {
      if (done.compareAndSet(false, true)) {
        action.run();
      }
    }

    private void cancel() {
      done.set(true);
    }
  }
}
