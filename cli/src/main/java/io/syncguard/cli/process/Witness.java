package io.syncguard.cli.process;

import io.syncguard.cli.output.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small process that a signal ends, which shows where the signal was sent; then the next one
 * takes its place. It reads from a pipe of this process, so that it ends with this process, however
 * that ends.
 */
final class Witness implements AutoCloseable {

  /** An end that is longer ago has nothing to do with a signal that came just now. */
  private static final long RECENT_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long LONGEST_END_NS = TimeUnit.SECONDS.toNanos(10);
  private static final Path PROCESSES = Path.of("/proc");

  /** In the status of a process: it is a zombie, or has a signal that it has not taken yet. */
  private static final Pattern ENDING =
      Pattern.compile("State:\\s*[ZX].*|S(ig|hd)Pnd:\\s*(?!0+$)\\p{XDigit}+");

  private final List<String> words;

  /** By the number of the signal, when the end was noticed, in {@link System#nanoTime}. */
  private final Map<Integer, Long> ends = new HashMap<>();

  private @Nullable Process process;
  private boolean closed;

  /** Starts it. Where that fails, it sees nothing. */
  Witness(List<String> words) {
    this.words = words;
    start();
  }

  private synchronized void start() {
    if (process != null || closed) {
      return;
    }
    try {
      Process started =
          new ProcessBuilder(words)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process = started;
      // In another thread: the JVM's own for this has too small a stack to start the next one.
      var unused = started.onExit().thenAcceptAsync(ended -> ended(ended.exitValue()));
    } catch (IOException e) {
      // It is tried again at the next signal.
    }
  }

  private synchronized void ended(int code) {
    process = null;
    // Something else may have ended it: a QUIT, which Java keeps to itself, or a lack of memory.
    if (OsSignal.isListenedTo(code - Exit.SIGNAL)) {
      ends.put(code - Exit.SIGNAL, System.nanoTime());
      start();
    }
    notifyAll();
  }

  /**
   * Blocks until one of these signals has ended it, or until the deadline.
   *
   * @param signals when this process got them
   * @return whether one has ended it
   */
  synchronized boolean saw(Map<OsSignal, Long> signals, long deadline) throws InterruptedException {
    start();
    boolean seen = takeEnds(signals);
    for (long left = left(deadline); !seen && left > 0; left = left(deadline)) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      seen = takeEnds(signals);
    }
    return seen;
  }

  private boolean takeEnds(Map<OsSignal, Long> signals) {
    boolean seen = false;
    for (Map.Entry<OsSignal, Long> signal : signals.entrySet()) {
      @Nullable Long at = ends.remove(signal.getKey().number());
      seen |= at != null && signal.getValue() - at < RECENT_NS;
    }
    return seen;
  }

  /**
   * A witness with a pending signal gets more time: a busy machine is slow to end it, and to tell.
   */
  private long left(long deadline) {
    long left = deadline - System.nanoTime();
    return left <= 0 && isBeingEnded() ? left + LONGEST_END_NS : left;
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
  public synchronized void close() {
    closed = true;
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
