package io.syncguard.testkit.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Who came to a semaphore or a lock when, and held it from when to when. It finds moments when more
 * held than the limit allows, those who were served before others who came first, and fences that
 * do not increase. A lock is a semaphore with a limit of 1 whose passages have fences. Thread-safe.
 *
 * <p>Times are recorded outside of what the store did, so that a finding is a proof whatever the
 * timing: a hold begins after the acquisition returned and ends before the release is asked for.
 * The order in the queue is that of the store's tickets. Where there are none, one came before
 * another only if it had its slot or place before the other asked for one.
 *
 * <p>First come, first served means: if A came before B, then A had a slot no later than B, so at
 * least from when B's acquisition returned, even if A's own returned later. So every hold is
 * counted from the earliest return of any later comer, and if more than the limit overlap then, but
 * not otherwise, the order was broken.
 */
public final class HandOffHistory {

  private final int limit;
  private final Collection<Passage> passages = new ConcurrentLinkedQueue<>();

  /** An empty history of a semaphore with this limit. */
  public HandOffHistory(int limit) {
    this.limit = limit;
  }

  /** Returns an empty history of a lock. */
  public static HandOffHistory ofLock() {
    return new HandOffHistory(1);
  }

  /**
   * One way through the queue, on a clock that all workers share.
   *
   * @param ticket its place in the queue; 0 if it got a slot at once
   * @param places how many places it had one after another; more than one if it lost some
   * @param slot how many slots were taken when it got its own, as the store counted; 0 for a lock
   * @param fence the lock's fence; 0 for a permit, which has none
   * @param askedAt when it asked for a slot or a place
   * @param joinedAt when it knew that it had one
   * @param acquiredAt when it knew that it held a slot
   * @param releasedAt when it was about to release
   */
  public record Passage(
      long ticket,
      int places,
      int slot,
      long fence,
      long askedAt,
      long joinedAt,
      long acquiredAt,
      long releasedAt) {

    /** Returns whether it did not get a slot at once, so that its order was put to a test. */
    public boolean waited() {
      return ticket != 0;
    }
  }

  /**
   * What is wrong with a history.
   *
   * @param overshoots moments when more than the limit held
   * @param inversions moments when a late comer held a slot and an earlier one had none
   * @param fencesOutOfOrder holds whose fence was not greater than that of the hold before
   * @param example one of them in words; empty if there are none
   */
  public record Findings(int overshoots, int inversions, int fencesOutOfOrder, String example) {

    /** Returns how much is wrong. */
    public int count() {
      return overshoots + inversions + fencesOutOfOrder;
    }
  }

  /** Adds a passage that is over. */
  public void add(Passage passage) {
    passages.add(passage);
  }

  /** Returns how many passages were recorded. */
  public int size() {
    return passages.size();
  }

  /** Returns how many passages did not get a slot at once. */
  public long waited() {
    return passages.stream().filter(Passage::waited).count();
  }

  /** Returns how often a permit lost its place, as the dead do, and asked again. */
  public int placesLost() {
    return passages.stream().mapToInt(passage -> Math.max(0, passage.places() - 1)).sum();
  }

  /**
   * Returns at once if all is well.
   *
   * @throws AssertionError that names those who held too many slots at once, or out of order, or
   *     with a fence that did not increase
   */
  public void check() {
    Findings findings = findings();
    if (findings.count() > 0) {
      throw new AssertionError(findings.example());
    }
  }

  /** Returns all that is wrong. */
  public Findings findings() {
    List<Passage> recorded = List.copyOf(passages);
    List<String> examples = new ArrayList<>();
    int counted = countedTooMany(recorded, examples);
    int overlapping = overlaps(asRecorded(recorded), examples);
    int overlappingInOrder = overlaps(new Arrivals(recorded).holds(), examples);
    return new Findings(
        counted + overlapping,
        Math.max(0, overlappingInOrder - overlapping),
        fencesOutOfOrder(recorded, examples),
        examples.isEmpty() ? "" : examples.get(0));
  }

  private int countedTooMany(List<Passage> recorded, List<String> examples) {
    List<Passage> tooMany = recorded.stream().filter(passage -> passage.slot() > limit).toList();
    if (!tooMany.isEmpty()) {
      examples.add("More than " + limit + " slots were taken: " + tooMany.get(0));
    }
    return tooMany.size();
  }

  private static int fencesOutOfOrder(List<Passage> recorded, List<String> examples) {
    List<Passage> inOrder =
        recorded.stream()
            .filter(passage -> passage.fence() != 0)
            .sorted(Comparator.comparingLong(Passage::acquiredAt))
            .toList();
    int found = 0;
    for (int i = 1; i < inOrder.size(); i++) {
      Passage earlier = inOrder.get(i - 1);
      Passage later = inOrder.get(i);
      if (later.fence() <= earlier.fence()) {
        found++;
        examples.add("The fence did not increase: " + earlier + " then " + later);
      }
    }
    return found;
  }

  private static List<Hold> asRecorded(List<Passage> recorded) {
    return recorded.stream().map(passage -> new Hold(passage, passage.acquiredAt())).toList();
  }

  /** Counts the holds with which the limit is exceeded. */
  private int overlaps(List<Hold> holds, List<String> examples) {
    PriorityQueue<Hold> open =
        new PriorityQueue<>(Comparator.comparingLong(hold -> hold.passage().releasedAt()));
    int found = 0;
    for (Hold hold : holds.stream().sorted(Comparator.comparingLong(Hold::from)).toList()) {
      while (!open.isEmpty() && open.element().passage().releasedAt() < hold.from()) {
        open.remove();
      }
      open.add(hold);
      if (open.size() > limit) {
        found++;
        if (examples.isEmpty()) {
          examples.add(
              "More than "
                  + limit
                  + " held a slot at once, or a late comer was served before an earlier one: "
                  + open);
        }
      }
    }
    return found;
  }
}
