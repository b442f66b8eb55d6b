package io.syncguard.testkit.history;

import io.syncguard.testkit.history.HandOffHistory.Passage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Who is on the way through a queue, by {@link System#nanoTime}. Thread-safe.
 *
 * @param <I> what the store knows one by
 */
final class Progress<I> {

  /** Of one that has not released yet; before it holds anything it was not acquired. */
  private record Stage(
      long ticket,
      int places,
      int slot,
      long fence,
      long askedAt,
      long joinedAt,
      long acquiredAt,
      boolean isHolding) {

    static Stage placed(long ticket, int places, long askedAt) {
      return new Stage(ticket, places, 0, 0, askedAt, System.nanoTime(), 0, false);
    }

    Stage holding(int itsSlot, long itsFence) {
      return new Stage(
          ticket, places, itsSlot, itsFence, askedAt, joinedAt, System.nanoTime(), true);
    }
  }

  private final Consumer<Passage> listener;
  private final ConcurrentHashMap<I, Stage> underWay = new ConcurrentHashMap<>();

  /** When one asked that was not answered: the store may have given it its place then. */
  private final ConcurrentHashMap<I, Long> unanswered = new ConcurrentHashMap<>();

  /** What one was told that may have been answered with its place, but does not know that yet. */
  private final ConcurrentHashMap<I, Told> toldEarly = new ConcurrentHashMap<>();

  private record Told(int slot, long fence) {}

  Progress(Consumer<Passage> listener) {
    this.listener = listener;
  }

  /** Takes that an attempt failed. */
  void failed(I id, long askedAt) {
    unanswered.putIfAbsent(id, askedAt);
  }

  /**
   * Takes that it waits, or did before what it was told meanwhile. Another ticket is another place:
   * the earlier one was lost.
   */
  void waits(I id, long ticket, long askedAt) {
    long asked = firstAsked(id, askedAt);
    underWay.compute(
        id,
        (same, before) -> {
          if (before != null && before.ticket() == ticket) {
            return before;
          }
          Stage placed = Stage.placed(ticket, before == null ? 1 : before.places() + 1, asked);
          Told told = toldEarly.remove(id);
          return told == null ? placed : placed.holding(told.slot(), told.fence());
        });
  }

  /** Takes that it holds, by an answer. */
  void holds(I id, int slot, long fence, long askedAt) {
    long asked = firstAsked(id, askedAt);
    toldEarly.remove(id);
    underWay.compute(
        id,
        (same, before) ->
            (before == null ? Stage.placed(0, 0, asked) : before).holding(slot, fence));
  }

  /** Takes that it was told that it holds. */
  void wasTold(I id, int slot, long fence) {
    underWay.compute(
        id,
        (same, before) -> {
          if (before == null) {
            toldEarly.put(id, new Told(slot, fence));
            return null;
          }
          return before.holding(slot, fence);
        });
  }

  /** Takes that it neither holds nor waits. */
  void hasNothing(I id) {
    unanswered.remove(id);
    toldEarly.remove(id);
    underWay.remove(id);
  }

  /** Hands over the passage of one that is about to release what it holds. */
  void releases(I id) {
    unanswered.remove(id);
    toldEarly.remove(id);
    Stage done = underWay.remove(id);
    if (done != null && done.isHolding()) {
      listener.accept(
          new Passage(
              done.ticket(),
              done.places(),
              done.slot(),
              done.fence(),
              done.askedAt(),
              done.joinedAt(),
              done.acquiredAt(),
              System.nanoTime()));
    }
  }

  private long firstAsked(I id, long askedAt) {
    Long asked = unanswered.remove(id);
    return asked == null ? askedAt : asked;
  }
}
