package io.syncguard.internal.hold;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something to release in the background, and when to ask for it. Belongs to {@link
 * BackgroundReleases}, whose lock guards it.
 *
 * <p>An acquisition that was given up in doubt may still be on its way to the store, in a buffer of
 * the network or of the server. So the store's first "not found" is not believed. It is once the
 * store has been up since for as long as it was silent before, at least {@link #SHORTEST_SETTLING}
 * or half the life: a server reads what it has received long before that, and a network that
 * repeats what was lost waits no longer than it has waited so far, and 2 minutes at most.
 */
final class PendingRelease<T> {

  static final Duration SHORTEST_SETTLING = Duration.ofSeconds(5);
  static final Duration LONGEST_SETTLING = Duration.ofMinutes(2);

  private final T released;
  private final long begunAt;
  private final long endsAt;
  private final long shortestSettling;
  private final boolean mayArriveLate;
  private long dueAt;
  private @Nullable Runnable asked;
  private boolean absent;
  private long absentSince;

  /**
   * A release that is due now.
   *
   * @param life after which there is nothing left to release
   * @param mayArriveLate whether what it releases may yet be acquired
   * @param asked runs once the store has answered, or cannot be asked for now
   */
  PendingRelease(T released, Duration life, boolean mayArriveLate, long now, Runnable asked) {
    this.released = released;
    this.begunAt = now;
    long lifeNanos = TimeSource.saturatedNanos(life);
    this.endsAt = now + lifeNanos;
    this.shortestSettling = Math.min(SHORTEST_SETTLING.toNanos(), lifeNanos / 2);
    this.mayArriveLate = mayArriveLate;
    this.dueAt = now;
    this.asked = asked;
  }

  T released() {
    return released;
  }

  long dueAt() {
    return dueAt;
  }

  /** Notes that the store has been asked, or is not going to be soon. */
  void asked() {
    Runnable toTell = asked;
    asked = null;
    if (toTell != null) {
      toTell.run();
    }
  }

  boolean isOver(long now) {
    return endsAt - now < 0;
  }

  /** Notes that the store could not be asked. */
  void failed(long now) {
    absent = false;
    dueAt = now;
  }

  /** Takes that the store knows of nothing to release; returns whether that is not definite yet. */
  boolean isToBeAskedAgain(long now) {
    if (!mayArriveLate) {
      return false;
    }
    if (!absent) {
      absent = true;
      absentSince = now;
      dueAt = now + shortestSettling;
    } else {
      dueAt = absentSince + settling();
    }
    return dueAt - now > 0 && endsAt - dueAt > 0;
  }

  private long settling() {
    long silent = Math.min(LONGEST_SETTLING.toNanos(), absentSince - begunAt);
    return Math.max(shortestSettling, silent);
  }
}
