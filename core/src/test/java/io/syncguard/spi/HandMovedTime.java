package io.syncguard.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Time that stands still until a test moves it; timers run in the thread that moves it. */
public final class HandMovedTime implements TimeSource {

  private final List<Scheduled> timers = new ArrayList<>();
  private long nanos;
  private long wallOffsetMs = 1_700_000_000_000L;

  /** Time that begins at some moment in 2023. */
  public HandMovedTime() {
    this(0);
  }

  /** Time whose monotonic clock begins with this value, which may be about to overflow. */
  public HandMovedTime(long nanos) {
    this.nanos = nanos;
  }

  /** Moves both clocks on and runs the timers that fall due, each at its own time. */
  public void move(Duration by) {
    long end = now() + by.toNanos();
    for (Optional<Scheduled> due = due(end); due.isPresent(); due = due(end)) {
      due.get().task.run();
    }
    setNanos(end);
  }

  /** Has the wall clock jump, as when an operator sets it. */
  public synchronized void setWallClock(Duration forward) {
    wallOffsetMs += forward.toMillis();
  }

  /** Returns how many timers have neither run nor been called off. */
  public synchronized int pendingTimers() {
    return timers.size();
  }

  private synchronized Optional<Scheduled> due(long end) {
    Optional<Scheduled> next =
        timers.stream()
            .filter(timer -> timer.at - end <= 0)
            .min(Comparator.comparingLong(timer -> timer.at - nanos));
    next.ifPresent(
        timer -> {
          timers.remove(timer);
          nanos = timer.at;
        });
    return next;
  }

  private synchronized long now() {
    return nanos;
  }

  private synchronized void setNanos(long newNanos) {
    nanos = newNanos;
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  @Override
  public synchronized long currentTimeMillis() {
    return wallOffsetMs + nanos / 1_000_000;
  }

  @Override
  public synchronized Timer schedule(Runnable task, Duration delay) {
    Scheduled timer = new Scheduled(task, nanos + delay.toNanos());
    timers.add(timer);
    return timer;
  }

  /** Moves the time on instead of blocking, until a permit is there. */
  @Override
  public boolean await(Semaphore permits, long nanosToWait) {
    long end = now() + nanosToWait;
    while (!permits.tryAcquire()) {
      Optional<Scheduled> due = due(end);
      if (due.isEmpty()) {
        setNanos(end);
        return permits.tryAcquire();
      }
      due.get().task.run();
    }
    return true;
  }

  private final class Scheduled implements Timer {

    private final Runnable task;
    private final long at;

    Scheduled(Runnable task, long at) {
      this.task = task;
      this.at = at;
    }

    @Override
    public void cancel() {
      synchronized (HandMovedTime.this) {
        timers.remove(this);
      }
    }
  }
}
