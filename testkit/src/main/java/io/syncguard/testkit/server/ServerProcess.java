package io.syncguard.testkit.server;

import io.syncguard.testkit.internal.Signals;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An operating system process with its children, and the signals a test sends to them. */
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
    terminate("TERM");
  }

  /** Asks for an end with this signal; it is for the process to end its children. */
  void terminate(String signal) {
    if (!isAlive()) {
      return;
    }
    resume();
    Signals.send(signal, List.of(process.toHandle()));
    if (!exitsWithin(SIGNAL_LIMIT)) {
      kill();
    }
  }

  void kill() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    if (!exitsWithin(SIGNAL_LIMIT)) {
      throw new IllegalStateException("Process " + process.pid() + " survived SIGKILL");
    }
    children.forEach(
        child -> Await.until("an end of " + child.pid(), SIGNAL_LIMIT, () -> hasEnded(child)));
  }

  /** Stops the process before its children, so that none is born meanwhile. */
  void pause() {
    paused = true;
    pause(List.of(process.toHandle()));
    pause(process.descendants().toList());
  }

  void resume() {
    if (paused) {
      Signals.send(
          "CONT", Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList());
      paused = false;
    }
  }

  private static void pause(List<ProcessHandle> handles) {
    Signals.send("STOP", handles);
    for (ProcessHandle handle : handles) {
      Await.until("a stop of " + handle.pid(), SIGNAL_LIMIT, () -> hasStopped(handle));
    }
  }

  /** A signal is delivered a moment after kill returns; only Linux shows when. */
  private static boolean hasStopped(ProcessHandle handle) {
    return !handle.isAlive() || "TZ?".indexOf(state(handle)) >= 0;
  }

  /** A zombie has ended, even if no parent reaps it. */
  private static boolean hasEnded(ProcessHandle handle) {
    return !handle.isAlive() || state(handle) == 'Z';
  }

  private static char state(ProcessHandle handle) {
    try {
      String fields = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "stat"));
      return fields.charAt(fields.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return '?';
    }
  }

  /** Blocks until the process has ended by itself. */
  int exitCode() {
    return exitCode(process);
  }

  static int exitCode(Process process) {
    try {
      return process.waitFor();
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

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("Interrupted while signalling a server", e);
  }
}
