package io.syncguard.internal.hold;

import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Steps;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The releases of one guard that no caller waits for any more: a bounded number of them, of which
 * few are under way at a time.
 *
 * <p>While the store fails, one release at a time asks whether it is back, and the others wait.
 * When it is back, they follow in batches, so that a store that has just come back is not met by
 * all of them at once. Thread-safe.
 *
 * @param <T> what is released
 * @param <R> how a release ended
 */
final class BackgroundReleases<T, R> {

  /** So many releases wait; the one that has waited longest then makes room for the next. */
  static final int MOST_WAITING = 10_000;

  static final int MOST_UNDER_WAY = 32;

  /** After the store has failed, so many follow one another at once. */
  static final int BATCH = 100;

  static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);

  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final Logger log = LoggerFactory.getLogger(Releases.class);

  private final Releases.Operation<T, R> operation;
  private final TimeSource time;
  private final Duration timeout;
  private final Gate gate;
  private final Steps steps = new Steps(this::startWhatIsDue);
  private final PriorityQueue<PendingRelease<T>> waiting =
      new PriorityQueue<>(
          Comparator.comparing(PendingRelease::dueAt, (a, b) -> Long.signum(a - b)));

  private int underWay;
  private boolean failing;
  private Duration pause = Releases.FIRST_PAUSE;
  private long askAgainAt;
  private boolean catchingUp;
  private int leftInBatch;
  private long nextBatchAt;
  private TimeSource.@Nullable Timer timer;
  private long timerAt;
  private int leftToExpire;
  private boolean warned;
  private long warnedAt;

  BackgroundReleases(
      Releases.Operation<T, R> operation, TimeSource time, Duration timeout, Gate gate) {
    this.operation = operation;
    this.time = time;
    this.timeout = timeout;
    this.gate = gate;
  }

  /** Begins to release something and returns at once. */
  void add(PendingRelease<T> release) {
    synchronized (this) {
      remember(release);
    }
    steps.drive();
  }

  /** Forgets what waits; to be called when the gate is closed. */
  synchronized void close() {
    forgetAll();
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void remember(PendingRelease<T> release) {
    if (waiting.size() >= MOST_WAITING) {
      leaveToExpire(waiting.remove());
    }
    waiting.add(release);
  }

  private void forgetAll() {
    waiting.forEach(PendingRelease::asked);
    waiting.clear();
  }

  private void leaveToExpire(PendingRelease<T> release) {
    release.asked();
    long now = time.nanoTime();
    if (release.isOver(now)) {
      return;
    }
    leftToExpire++;
    if (!warned || now - warnedAt >= BETWEEN_WARNINGS.toNanos()) {
      warned = true;
      warnedAt = now;
      log.warn(
          "More than {} releases wait for the store: {} more locks or permits stay until they"
              + " expire, the last of them {}",
          MOST_WAITING,
          leftToExpire,
          operation.subject(release.released()));
      leftToExpire = 0;
    }
  }

  private void startWhatIsDue() {
    for (PendingRelease<T> next = next(); next != null; next = next()) {
      start(next);
    }
  }

  /** Returns what to release now; null if that is for a timer or an answer to decide. */
  private synchronized @Nullable PendingRelease<T> next() {
    if (gate.isClosed()) {
      forgetAll();
    }
    long now = time.nanoTime();
    while (!waiting.isEmpty() && waiting.element().isOver(now)) {
      waiting.remove().asked();
    }
    PendingRelease<T> first = waiting.peek();
    if (first == null) {
      catchingUp = false;
      return null;
    }
    if (underWay >= (failing ? 1 : MOST_UNDER_WAY)) {
      return null;
    }
    long at = startAt(first, now);
    if (at - now > 0) {
      wakeUpAt(at, now);
      return null;
    }
    leftInBatch--;
    underWay++;
    return waiting.remove();
  }

  private long startAt(PendingRelease<T> first, long now) {
    if (first.dueAt() - now > 0) {
      catchingUp = false;
      return first.dueAt();
    }
    if (failing) {
      return askAgainAt;
    }
    if (!catchingUp) {
      return now;
    }
    if (nextBatchAt - now <= 0) {
      nextBatchAt = now + BETWEEN_BATCHES.toNanos();
      leftInBatch = BATCH;
    }
    return leftInBatch > 0 ? now : nextBatchAt;
  }

  private void wakeUpAt(long at, long now) {
    if (timer != null) {
      if (timerAt - at <= 0) {
        return;
      }
      timer.cancel();
    }
    timerAt = at;
    timer = time.schedule(this::wakeUp, Duration.ofNanos(at - now));
  }

  private void wakeUp() {
    synchronized (this) {
      timer = null;
    }
    steps.drive();
  }

  private void start(PendingRelease<T> release) {
    ask(release)
        .whenComplete(
            (answer, failure) -> {
              try {
                if (failure == null) {
                  operation.settled(release.released(), answer, true);
                }
              } finally {
                ended(release, answer, failure);
                steps.drive();
              }
            });
  }

  private CompletionStage<R> ask(PendingRelease<T> release) {
    try {
      return operation.releaseInBackground(release.released(), timeout);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized void ended(
      PendingRelease<T> release, @Nullable R answer, @Nullable Throwable failure) {
    underWay--;
    release.asked();
    long now = time.nanoTime();
    if (failure == null) {
      failing = false;
      pause = Releases.FIRST_PAUSE;
      if (answer != null && operation.isAbsent(answer) && release.isToBeAskedAgain(now)) {
        remember(release);
      }
    } else if (Releases.isWorthRepeating(
        Failures.asSyncGuardException(failure, operation.subject(release.released())))) {
      failed(now);
      release.failed(now);
      remember(release);
    }
  }

  /** What was under way when the store began to fail says nothing new about it. */
  private void failed(long now) {
    if (!failing || askAgainAt - now <= 0) {
      pause = failing ? Releases.longer(pause) : Releases.FIRST_PAUSE;
      askAgainAt = now + ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos());
    }
    waiting.forEach(PendingRelease::asked);
    if (!catchingUp) {
      catchingUp = true;
      nextBatchAt = now;
    }
    failing = true;
  }
}
