package io.syncguard.testkit.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operating system process and the signals a test sends to it. */
final class ServerProcess {
  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);

  private final Process process;
  private volatile boolean paused;

  private ServerProcess(Process process) {
    this.process = process;
  }

  static ServerProcess launch(List<String> command, File log) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    try {
      return new ServerProcess(builder.redirectOutput(log).start());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot launch " + command, e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  boolean isPaused() {
    return paused;
  }

  void terminate() {
    if (!isAlive()) {
      return;
    }
    resume();
    process.destroy();
    if (!exitsWithin(SIGNAL_LIMIT)) {
      kill();
    }
  }

  void kill() {
    process.destroyForcibly();
    if (!exitsWithin(SIGNAL_LIMIT)) {
      throw new IllegalStateException("Process " + process.pid() + " survived SIGKILL");
    }
  }

  void pause() {
    signal("STOP");
    paused = true;
    Await.until("process " + process.pid() + " to stop", SIGNAL_LIMIT, this::isStopped);
  }

  void resume() {
    if (paused) {
      signal("CONT");
      paused = false;
    }
  }

  /** A signal is delivered a moment after kill returns; only Linux lets us look. */
  private boolean isStopped() throws IOException {
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    if (!Files.exists(stat)) {
      return true;
    }
    String fields = Files.readString(stat);
    return fields.charAt(fields.lastIndexOf(')') + 2) == 'T';
  }

  /** Uses the shell's own kill, as minimal images come without the program. */
  private void signal(String name) {
    String command = "kill -" + name + " " + process.pid();
    try {
      Process kill = new ProcessBuilder("sh", "-c", command).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("Failed: " + command);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Failed: " + command, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private boolean exitsWithin(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("Interrupted while signalling " + process.pid(), e);
  }
}
