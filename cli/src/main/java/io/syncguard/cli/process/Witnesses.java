package io.syncguard.cli.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tell which processes got a signal that this process got. Java does not know where a signal was
 * sent, so two small processes witness it: a signal to the group of this process ends the witness
 * in it, and only a signal to each process by itself also ends the witness in its own session.
 */
final class Witnesses implements AutoCloseable {

  /** How long the end of a witness may take to be seen. */
  private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(150);

  private static final List<String> WORDS = List.of("cat");

  private final Witness inGroup = new Witness(WORDS);
  private final @Nullable Witness outside =
      Sessions.canBegin() ? new Witness(Sessions.inNew(WORDS)) : null;

  /**
   * Blocks for a moment; returns which processes got signals.
   *
   * @param together signals that count as sent to the same processes, and when this process got
   *     them, in {@link System#nanoTime}
   */
  Reach reachOf(Map<OsSignal, Long> together) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NS;
    if (!inGroup.saw(together, deadline)) {
      return Reach.ALONE;
    }
    return outside != null && outside.saw(together, deadline) ? Reach.SERVICE : Reach.GROUP;
  }

  @Override
  public void close() {
    inGroup.close();
    if (outside != null) {
      outside.close();
    }
  }
}
