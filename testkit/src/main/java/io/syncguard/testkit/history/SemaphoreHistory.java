package io.syncguard.testkit.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Who came to a semaphore when, and held a permit from when to when. It checks that never more held
 * than the limit allows, and that whoever came first was served first. Thread-safe.
 *
 * <p>Times are recorded outside of what the store did, so that a finding is a proof whatever the
 * timing: a hold begins after the acquisition returned and ends before the release is asked for;
 * one came before another only if its place in the queue was confirmed before the other asked for
 * one.
 *
 * <p>First come, first served means: if A came before B, then A had a slot no later than B, so at
 * least from when B's acquisition returned, even if A's own returned later. So every hold is
 * counted from the earliest return of any later comer, and if more than the limit overlap, either
 * the limit or the order was broken.
 */
public final class SemaphoreHistory {

  private final int limit;
  private final Collection<Passage> passages = new ConcurrentLinkedQueue<>();

  /** An empty history of a semaphore with this limit. */
  public SemaphoreHistory(int limit) {
    this.limit = limit;
  }

  /**
   * One permit's way through the semaphore, on a clock that all workers share.
   *
   * @param who whose
   * @param askedAt when it asked for a slot or a place
   * @param joinedAt when it knew that it had one
   * @param acquiredAt when it knew that it held a slot
   * @param releasedAt when it was about to release
   */
  public record Passage(
      String who, long askedAt, long joinedAt, long acquiredAt, long releasedAt) {}

  /** Adds a passage that is over. */
  public void add(Passage passage) {
    passages.add(passage);
  }

  /** Returns how many passages were recorded. */
  public int size() {
    return passages.size();
  }

  /**
   * Returns how many passages did not get a slot at once, so that their order was put to a test.
   */
  public long waited() {
    return passages.stream().filter(passage -> passage.joinedAt() < passage.acquiredAt()).count();
  }

  /**
   * Returns at once if all is well.
   *
   * @throws AssertionError that names those who held too many slots at once, or out of order
   */
  public void check() {
    List<Passage> inOrder =
        passages.stream().sorted(Comparator.comparingLong(Passage::askedAt)).toList();
    long[] earliestReturnFrom = earliestReturns(inOrder);
    List<Hold> holds = new ArrayList<>();
    for (Passage passage : inOrder) {
      int laterComers = firstAskedAfter(inOrder, passage.joinedAt());
      long from = Math.min(passage.acquiredAt(), earliestReturnFrom[laterComers]);
      holds.add(new Hold(passage, from));
    }
    checkOverlap(holds);
  }

  private record Hold(Passage passage, long from) {}

  /** For each index the earliest return among the passages from there on. */
  private static long[] earliestReturns(List<Passage> inOrder) {
    long[] earliest = new long[inOrder.size() + 1];
    Arrays.fill(earliest, Long.MAX_VALUE);
    for (int i = inOrder.size() - 1; i >= 0; i--) {
      earliest[i] = Math.min(earliest[i + 1], inOrder.get(i).acquiredAt());
    }
    return earliest;
  }

  private static int firstAskedAfter(List<Passage> inOrder, long time) {
    int low = 0;
    int high = inOrder.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (inOrder.get(middle).askedAt() > time) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void checkOverlap(List<Hold> holds) {
    holds.sort(Comparator.comparingLong(Hold::from));
    PriorityQueue<Hold> open =
        new PriorityQueue<>(Comparator.comparingLong(hold -> hold.passage().releasedAt()));
    for (Hold hold : holds) {
      while (!open.isEmpty() && open.element().passage().releasedAt() < hold.from()) {
        open.remove();
      }
      open.add(hold);
      if (open.size() > limit) {
        throw new AssertionError(
            "More than "
                + limit
                + " held a slot at once, or somebody was served before others who came first: "
                + open);
      }
    }
  }
}
