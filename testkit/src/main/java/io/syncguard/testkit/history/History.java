package io.syncguard.testkit.history;

import io.syncguard.lock.Fence;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * What workers held, from when to when, with which fence. It checks that no worker held a key while
 * another did, and that fences increased. Thread-safe.
 *
 * <p>A hold is recorded strictly inside the time the lock was really held: it begins after the
 * acquisition returned and ends before the release is asked for. So two that overlap prove a fault,
 * whatever the timing.
 */
public final class History {

  private final Collection<Hold> holds = new ConcurrentLinkedQueue<>();

  /** An empty history. */
  public History() {}

  /**
   * One worker's hold.
   *
   * @param worker who
   * @param key what
   * @param fence with which token
   * @param fromNanos since when, on a clock that all workers share
   * @param toNanos until when, on the same clock
   */
  public record Hold(String worker, String key, Fence fence, long fromNanos, long toNanos) {}

  /** A hold that goes on; to be ended before the release is asked for. */
  public final class Open {

    private final String worker;
    private final String key;
    private final Fence fence;
    private final long from = System.nanoTime();

    private Open(String worker, String key, Fence fence) {
      this.worker = worker;
      this.key = key;
      this.fence = fence;
    }

    /** Records that the worker is about to release. */
    public void end() {
      add(new Hold(worker, key, fence, from, System.nanoTime()));
    }
  }

  /** Records that a worker has just acquired. */
  public Open begin(String worker, String key, Fence fence) {
    return new Open(worker, key, fence);
  }

  /** Adds a hold that was recorded elsewhere, such as in another process. */
  public void add(Hold hold) {
    holds.add(hold);
  }

  /** Returns how many holds were recorded. */
  public int size() {
    return holds.size();
  }

  /**
   * Returns at once if all is well.
   *
   * @throws AssertionError that names the first pair of holds which overlap or whose fences do not
   *     increase
   */
  public void check() {
    holds.stream().collect(Collectors.groupingBy(Hold::key)).values().forEach(History::checkKey);
  }

  private static void checkKey(List<Hold> holdsOfKey) {
    List<Hold> inOrder =
        holdsOfKey.stream().sorted(Comparator.comparingLong(Hold::fromNanos)).toList();
    for (int i = 1; i < inOrder.size(); i++) {
      Hold earlier = inOrder.get(i - 1);
      Hold later = inOrder.get(i);
      if (later.fromNanos() <= earlier.toNanos()) {
        throw new AssertionError("Two held the key at once: " + earlier + " and " + later);
      }
      if (!later.fence().isNewerThan(earlier.fence())) {
        throw new AssertionError("The fence did not increase: " + earlier + " then " + later);
      }
    }
  }
}
