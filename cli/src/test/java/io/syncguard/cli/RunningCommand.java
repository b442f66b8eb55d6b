package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A command under way, whose input is open. */
final class RunningCommand implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 120;
  private static final long PAUSE_MS = 5;
  private static final long INTERRUPT = 1 << 1;

  private final Process process;
  private final Path output;
  private final Path errors;

  private RunningCommand(Process process, Path output, Path errors) {
    this.process = process;
    this.output = output;
    this.errors = errors;
  }

  static RunningCommand start(ProcessBuilder command, Path directory) throws IOException {
    Path output = Files.createTempFile(directory, "command", ".out");
    Path errors = Files.createTempFile(directory, "command", ".err");
    Process process =
        command.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
    return new RunningCommand(process, output, errors);
  }

  /**
   * Returns whether interrupts reach commands: what a shell starts behind its back ignores them.
   */
  static boolean areInterruptible() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return true;
    }
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> line.substring("SigIgn:".length()).strip())
            .findFirst()
            .orElse("0");
    return (Long.parseUnsignedLong(ignored, 16) & INTERRUPT) == 0;
  }

  Process process() {
    return process;
  }

  String outputSoFar() throws IOException {
    return Files.readString(output);
  }

  /** What may become true of a command under way. */
  interface Condition {
    boolean holds() throws Exception;
  }

  /** Blocks until its output contains this. */
  RunningCommand untilItPrints(String text) throws Exception {
    return until(() -> outputSoFar().contains(text));
  }

  /** Blocks until the condition holds. */
  RunningCommand until(Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      assertThat(deadline - System.nanoTime())
          .as("time left; output: %s; errors: %s", outputSoFar(), Files.readString(errors))
          .isPositive();
      Thread.sleep(PAUSE_MS);
    }
    return this;
  }

  void type(String input) throws IOException {
    process.getOutputStream().write(input.getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Blocks until it has ended, with nothing more to read. */
  Outcome end() throws IOException, InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It did not read all that was typed.
    }
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
    return new Outcome(process.exitValue(), Files.readAllBytes(output), Files.readString(errors));
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
