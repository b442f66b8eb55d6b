package io.syncguard.redis.script;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Fails what has not been answered in time. One timer serves all commands: it looks a few times per
 * timeout, and a command costs an entry in a queue. Thread-safe.
 */
final class CommandTimeouts {

  private static final int LOOKS_PER_TIMEOUT = 10;

  /** What waits for an answer. */
  interface Command {

    boolean isDone();

    void timeOut();
  }

  private record Pending(Command command, long deadline) {}

  private final TimeSource time = TimeSource.system();
  private final long timeoutNanos;
  private final Duration interval;
  private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean looking = new AtomicBoolean();

  CommandTimeouts(Duration timeout) {
    this.timeoutNanos = timeout.toNanos();
    this.interval = timeout.dividedBy(LOOKS_PER_TIMEOUT);
  }

  void watch(Command command) {
    pending.add(new Pending(command, time.nanoTime() + timeoutNanos));
    if (!looking.get() && looking.compareAndSet(false, true)) {
      time.schedule(this::look, interval);
    }
  }

  private void look() {
    looking.set(false);
    long now = time.nanoTime();
    Pending first = pending.peek();
    while (first != null && (first.command().isDone() || now - first.deadline() >= 0)) {
      pending.poll();
      if (!first.command().isDone()) {
        first.command().timeOut();
      }
      first = pending.peek();
    }
    if (first != null && looking.compareAndSet(false, true)) {
      time.schedule(this::look, interval);
    }
  }
}
