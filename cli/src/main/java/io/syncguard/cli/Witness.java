package io.syncguard.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small process that a signal ends, by which it is seen whom the signal was sent to. It reads
 * from a pipe of this process, so that it ends with this process, however that ends.
 */
final class Witness implements AutoCloseable {

  /** An end that is longer ago has nothing to do with a signal that came just now. */
  private static final long RECENT_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long LONGEST_END_NS = TimeUnit.SECONDS.toNanos(10);
  private static final Path PROCESSES = Path.of("/proc");

  /** In the status of a process: it is a zombie, or has a signal that it has not taken yet. */
  private static final Pattern ENDING =
      Pattern.compile("State:\\s*[ZX].*|S(ig|hd)Pnd:\\s*(?!0+$)\\p{XDigit}+");

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
      End seen = awaitEnd(deadline);
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

  private End awaitEnd(long deadline)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return end.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      if (!isBeingEnded()) {
        throw e;
      }
      // It has its signal; a machine that is busy takes a while to end it, and to tell.
      return end.get(LONGEST_END_NS, TimeUnit.NANOSECONDS);
    }
  }

  /** Returns whether a signal has come for it, or it has ended already, where the system tells. */
  private boolean isBeingEnded() {
    if (process == null || !Files.isDirectory(PROCESSES)) {
      return false;
    }
    try (Stream<String> status =
        Files.lines(PROCESSES.resolve(Long.toString(process.pid())).resolve("status"))) {
      return status.anyMatch(line -> ENDING.matcher(line).matches());
    } catch (IOException | UncheckedIOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
