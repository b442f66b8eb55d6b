package io.syncguard.spi;

import io.syncguard.CancelSignal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How long an operation may take, and what calls it off. Whatever the store waits for is part of
 * that time: a thread, a connection, another client's turn, the answer. The store's own limit holds
 * too.
 */
public final class Call {

  /** For a call that only the store's own limit ends. */
  public static final Duration UNLIMITED = ChronoUnit.FOREVER.getDuration();

  private static final Call PLAIN = new Call(CancelSignal.never(), true, false, 0);

  private final CancelSignal signal;
  private final boolean interruptible;
  private final boolean limited;
  private final long deadline;

  private Call(CancelSignal signal, boolean interruptible, boolean limited, long deadline) {
    this.signal = signal;
    this.interruptible = interruptible;
    this.limited = limited;
    this.deadline = deadline;
  }

  /** Returns a call that nothing but the store's own limit and an interrupt end. */
  public static Call plain() {
    return PLAIN;
  }

  /** Returns a call that the signal calls off. */
  public static Call of(CancelSignal signal) {
    return signal == CancelSignal.never() ? PLAIN : new Call(signal, true, false, 0);
  }

  /** Returns a call that nothing but its time ends, as an aborted task frees its lock too. */
  public static Call ofRelease(Duration timeout) {
    return new Call(CancelSignal.never(), false, false, 0).within(timeout);
  }

  /** Returns the same call, to be answered within this time from now, if that is sooner. */
  public Call within(Duration time) {
    if (time.compareTo(timeLeft()) >= 0) {
      return this;
    }
    long end = TimeSource.system().nanoTime() + TimeSource.saturatedNanos(time);
    return new Call(signal, interruptible, true, end);
  }

  /** Returns what calls it off. */
  public CancelSignal signal() {
    return signal;
  }

  /** Returns whether an interrupt of the thread that blocks for it calls it off as well. */
  public boolean isInterruptible() {
    return interruptible;
  }

  /** Returns what is left of its time: {@link #UNLIMITED} if it has no limit, never negative. */
  public Duration timeLeft() {
    return limited
        ? Duration.ofNanos(Math.max(0, deadline - TimeSource.system().nanoTime()))
        : UNLIMITED;
  }

  /** Returns what is left of its time, at most the usual time. */
  public Duration timeLeft(Duration usual) {
    Duration left = timeLeft();
    return left.compareTo(usual) < 0 ? left : usual;
  }
}
