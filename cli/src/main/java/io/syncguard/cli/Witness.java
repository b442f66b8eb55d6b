package io.syncguard.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A small process that a signal ends, by which it is seen whom the signal was sent to. It reads
 * from a pipe of this process, so that it ends with this process, however that ends.
 */
final class Witness implements AutoCloseable {

  /** An end that is longer ago has nothing to do with a signal that came just now. */
  private static final long RECENT_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * An end.
   *
   * @param code 128 and the signal's number
   * @param at when it was noticed, in {@link System#nanoTime}
   */
  private record End(int code, long at) {}

  private final List<String> words;
  private @Nullable Process process;
  private CompletableFuture<End> end = new CompletableFuture<>();

  /** Starts it. Where that fails, it sees nothing. */
  Witness(List<String> words) {
    this.words = words;
    start();
  }

  private void start() {
    end = new CompletableFuture<>();
    process = null;
    try {
      Process started =
          new ProcessBuilder(words)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process = started;
      end = started.onExit().thenApply(ended -> new End(ended.exitValue(), System.nanoTime()));
    } catch (IOException e) {
      // It never ends then.
    }
  }

  /**
   * Blocks until it has ended, or until the deadline; one that has ended is replaced.
   *
   * @param arrivedAt when this process got a signal
   * @return whether a signal that this process listens to ended it then
   */
  boolean saw(long arrivedAt, long deadline) throws InterruptedException {
    try {
      End seen = end.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      start();
      // Something else may have ended it: a QUIT, which Java keeps to itself, or a lack of memory.
      // Of several signals that come together any may be the one that did.
      return OsSignal.isListenedTo(seen.code() - Exit.SIGNAL) && arrivedAt - seen.at() < RECENT_NS;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
