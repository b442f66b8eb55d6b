package io.syncguard.internal.hold;

import io.syncguard.SyncGuard;
import io.syncguard.spi.TimeSource;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one primitive of a guard holds or is acquiring, so that closing the guard can wait for the
 * holders and then take back the rest. What a holder dropped without releasing it is forgotten with
 * the garbage. Thread-safe.
 */
public final class Holdings {

  private static final Logger log = LoggerFactory.getLogger(SyncGuard.class);

  private enum State {
    OPEN,
    /** Holders have time to let go by themselves. */
    ENDING,
    /** What is left, or comes late, is taken back. */
    TAKING_BACK
  }

  private final String what;
  private final TimeSource time;
  private final Set<Holding> held = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Hold<?, ?>> dropped = new ReferenceQueue<>();
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private final CompletableFuture<Void> empty = new CompletableFuture<>();
  private volatile State state = State.OPEN;

  /**
   * Holds nothing.
   *
   * @param what what the log calls those that are held
   */
  public Holdings(String what, TimeSource time) {
    this.what = what;
    this.time = time;
  }

  /** Notes that an acquisition begins; before it is checked whether one may. */
  public void begin() {
    begun.increment();
  }

  /**
   * Notes that an acquisition has ended; after what it got was added, or after it has left the
   * queue.
   */
  public void end() {
    ended.increment();
    completeIfEmpty();
  }

  /** Notes that an acquisition has begun until its future is complete. */
  public <T> CompletableFuture<T> during(Supplier<CompletableFuture<T>> acquisition) {
    begin();
    CompletableFuture<T> acquiring;
    try {
      acquiring = acquisition.get();
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    }
    CompletionStage<T> done = acquiring;
    done.whenComplete((value, failure) -> end());
    return acquiring;
  }

  /** Returns a place for something that is not yet held. */
  Holding of(Hold<?, ?> handle) {
    return new Holding(handle);
  }

  /** Returns whether something of this name is held, and its holder may still use it. */
  public boolean holdsOne(String name) {
    for (Holding holding : held) {
      @Nullable Hold<?, ?> handle = holding.get();
      if (handle != null && handle.isInUse() && name.equals(handle.subject().name())) {
        return true;
      }
    }
    return false;
  }

  private void forgetDropped() {
    for (Reference<? extends Hold<?, ?>> gone = dropped.poll();
        gone != null;
        gone = dropped.poll()) {
      held.remove(gone);
    }
  }

  /**
   * Gives holders this much time to let go, takes back what is left then, and returns at once. To
   * be called when nothing new may begin; called again, it can only shorten the time.
   *
   * @return a stage that completes when nothing is held any more, which may be never
   */
  public CompletionStage<Void> close(Duration timeToEnd) {
    if (state == State.OPEN) {
      state = State.ENDING;
      forgetUnused();
    }
    if (timeToEnd.isZero()) {
      takeBackAll();
    } else if (!empty.isDone()) {
      TimeSource.Timer timer = time.schedule(this::takeBackAll, timeToEnd);
      CompletionStage<Void> done = empty;
      done.whenComplete((nothing, failure) -> timer.cancel());
    }
    return empty;
  }

  /**
   * Leaves what is held to its holders, and returns at once. To be called when nothing new may
   * begin.
   *
   * @return a stage that completes when all acquisitions have ended
   */
  public CompletionStage<Void> endAcquisitions() {
    if (state == State.OPEN) {
      state = State.ENDING;
    }
    completeIfEmpty();
    return idle;
  }

  private void takeBackAll() {
    synchronized (this) {
      if (state == State.TAKING_BACK) {
        return;
      }
      // Before: what is being taken back counts as held until that is over.
      forgetUnused();
      state = State.TAKING_BACK;
    }
    if (!held.isEmpty()) {
      log.warn(
          "This SyncGuard is closed while {} {} are held; they are released now",
          held.size(),
          what);
    }
    held.forEach(Holding::takeBack);
  }

  /** A handle whose time is over need not have been told so. */
  private void forgetUnused() {
    held.removeIf(holding -> !holding.isInUse());
    completeIfEmpty();
  }

  private void completeIfEmpty() {
    if (state == State.OPEN) {
      return;
    }
    // In this order: what ends in between is seen the next time.
    long over = ended.sum();
    if (begun.sum() == over) {
      idle.complete(null);
      if (held.isEmpty()) {
        empty.complete(null);
      }
    }
  }

  /** Something that is held until it leaves. */
  final class Holding extends WeakReference<Hold<?, ?>> {

    private Holding(Hold<?, ?> handle) {
      super(handle, dropped);
    }

    private boolean isInUse() {
      @Nullable Hold<?, ?> handle = get();
      return handle != null && handle.isInUse();
    }

    /** Notes that it is held from now on. */
    void enter() {
      forgetDropped();
      held.add(this);
      if (state == State.TAKING_BACK) {
        takeBack();
      }
    }

    private void takeBack() {
      @Nullable Hold<?, ?> handle = get();
      if (handle != null) {
        handle.takeBack();
      }
    }

    /** Notes that it is held no more, as far as this guard can do anything about it. */
    void leave() {
      held.remove(this);
      completeIfEmpty();
    }
  }
}
