package io.syncguard.testkit.process;

import io.syncguard.testkit.history.History;
import io.syncguard.testkit.history.History.Hold;
import io.syncguard.testkit.process.WorkerEvent.Acquired;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes holds of what workers told. A hold ends when its worker was about to release it, or at the
 * end of its lease if that came first or the worker died: up to then no other worker may get the
 * lock. Not thread-safe.
 */
final class RecordedHolds {
  private final String key;
  private final History history = new History();
  private final Map<String, Acquired> open = new HashMap<>();
  private int abandoned;
  private int stalled;

  RecordedHolds(String key) {
    this.key = key;
  }

  void acquired(String worker, Acquired acquired) {
    open.put(worker, acquired);
  }

  void releasing(String worker, long atNanos) {
    Acquired acquired = open.remove(worker);
    if (acquired != null) {
      add(worker, acquired, Math.min(atNanos, acquired.leaseEndNanos()));
    }
  }

  void ended(String worker) {
    @Nullable Acquired acquired = open.remove(worker);
    if (acquired != null) {
      abandoned++;
      add(worker, acquired, acquired.leaseEndNanos());
    }
  }

  /** A worker that was held up until its lease was over proves nothing. */
  private void add(String worker, Acquired acquired, long toNanos) {
    if (toNanos < acquired.fromNanos()) {
      stalled++;
      return;
    }
    history.add(new Hold(worker, key, acquired.fence(), acquired.fromNanos(), toNanos));
  }

  History history() {
    return history;
  }

  int abandoned() {
    return abandoned;
  }

  int stalled() {
    return stalled;
  }
}
