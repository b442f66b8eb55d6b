package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.BiConsumer;

/** A JVM that runs a {@link ContendingWorker}, seen from its parent. */
final class WorkerProcess implements AutoCloseable {
  private final String name;
  private final File errors;
  private final Process process;
  private volatile boolean killed;

  private WorkerProcess(String name, File errors, Process process) {
    this.name = name;
    this.errors = errors;
    this.process = process;
  }

  /** Starts it and hands over its events, the end as the last one, from a thread of its own. */
  static WorkerProcess start(
      String name, List<String> args, BiConsumer<WorkerProcess, WorkerEvent> listener) {
    try {
      File errors = Files.createTempFile("syncguard-worker-", ".log").toFile();
      Process process =
          new ProcessBuilder(JavaCommand.of(ContendingWorker.class, args))
              .redirectError(errors)
              .start();
      WorkerProcess worker = new WorkerProcess(name, errors, process);
      Thread reader = new Thread(() -> worker.read(listener), name);
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start a JVM", e);
    }
  }

  /** Lines are whole even after a kill: a write as short as ours into a pipe is all or nothing. */
  private void read(BiConsumer<WorkerProcess, WorkerEvent> listener) {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        WorkerEvent.parse(line).ifPresent(event -> listener.accept(this, event));
      }
    } catch (IOException e) {
      // The pipe of a process that was killed may break instead of ending.
    }
    try {
      listener.accept(this, new WorkerEvent.Ended(process.waitFor()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String name() {
    return name;
  }

  void begin() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It was killed, was told to end, or failed; in any case its end is the next event.
    }
  }

  /** Tells it to end, and returns at once. */
  void end() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // As above.
    }
  }

  /** Sends SIGKILL, and returns at once. */
  void kill() {
    killed = true;
    process.destroyForcibly();
  }

  boolean wasKilled() {
    return killed;
  }

  String errors() {
    try {
      return Files.readString(errors.toPath());
    } catch (IOException e) {
      return "(unknown: " + e + ")";
    }
  }

  @Override
  public void close() {
    kill();
    try {
      process.waitFor();
      Files.deleteIfExists(errors.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
