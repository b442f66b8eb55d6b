package io.syncguard.testkit.process;

import io.syncguard.lock.Fence;
import java.util.List;
import java.util.Optional;

/**
 * What a worker tells its parent, a line each, times by {@link System#nanoTime}, which processes of
 * one machine share.
 */
sealed interface WorkerEvent {

  /** It has opened its store and waits for the word to begin. */
  record Ready() implements WorkerEvent {}

  /**
   * It has the lock.
   *
   * @param fence with this token
   * @param fromNanos since, at the latest, this moment
   * @param leaseEndNanos until this moment, unless it releases before
   */
  record Acquired(Fence fence, long fromNanos, long leaseEndNanos) implements WorkerEvent {}

  /** It is about to release. */
  record Releasing(long atNanos) implements WorkerEvent {}

  /** It has ended; the parent's own event. */
  record Ended(int exitCode) implements WorkerEvent {}

  /** The line without its end; an {@code Ended} has none. */
  default String line() {
    if (this instanceof Acquired acquired) {
      return String.join(
          " ",
          "acquired",
          Long.toString(acquired.fence.toLong()),
          Long.toString(acquired.fromNanos),
          Long.toString(acquired.leaseEndNanos));
    }
    return this instanceof Releasing releasing ? "releasing " + releasing.atNanos : "ready";
  }

  /** Reads a line; empty if it is not an event, such as what a library prints. */
  static Optional<WorkerEvent> parse(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return switch (words.get(0) + "/" + words.size()) {
      case "ready/1" -> Optional.of(new Ready());
      case "acquired/4" ->
          Optional.of(
              new Acquired(
                  Fence.of(Long.parseLong(words.get(1))),
                  Long.parseLong(words.get(2)),
                  Long.parseLong(words.get(3))));
      case "releasing/2" -> Optional.of(new Releasing(Long.parseLong(words.get(1))));
      default -> Optional.empty();
    };
  }
}
