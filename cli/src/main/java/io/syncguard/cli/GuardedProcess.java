package io.syncguard.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A command that has our input, output and errors, and all that it starts. */
final class GuardedProcess {

  /** ENOENT, as one JDK or another puts it. */
  private static final Pattern NO_SUCH_FILE = Pattern.compile("error[=:] ?2\\b");

  private final Process process;

  private GuardedProcess(Process process) {
    this.process = process;
  }

  static GuardedProcess start(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(environment);
    try {
      return new GuardedProcess(builder.start());
    } catch (IOException e) {
      boolean missing = NO_SUCH_FILE.matcher(String.valueOf(e.getMessage())).find();
      throw Failure.notStarted(
          missing ? Exit.NO_SUCH_COMMAND : Exit.NOT_EXECUTABLE, command.get(0));
    }
  }

  Process process() {
    return process;
  }

  /** Blocks until it has ended; returns its exit code, or 128 and the signal that ended it. */
  int await() throws InterruptedException {
    return process.waitFor();
  }

  /** Blocks while it is asked to end, with all that it started, and killed after the grace. */
  void terminate(Duration grace) {
    List<ProcessHandle> all = all().toList();
    all.forEach(ProcessHandle::destroy);
    CompletableFuture<?>[] ends =
        all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ends)
        .completeOnTimeout(null, grace.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    // Whose parent has ended is not among our descendants any more, hence both.
    Stream.concat(all.stream(), all()).forEach(ProcessHandle::destroyForcibly);
  }

  private Stream<ProcessHandle> all() {
    return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
  }
}
