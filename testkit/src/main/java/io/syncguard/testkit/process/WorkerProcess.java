package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.testkit.internal.Signals;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;

/** A JVM with this one's class path, seen from its parent. */
final class WorkerProcess implements AutoCloseable {

  /** Who is told of a worker, in a thread of the worker's. */
  interface Listener {

    /** Takes a line that it wrote. */
    void told(WorkerProcess worker, String line);

    /** Takes that it has ended; nothing comes after that. */
    void ended(WorkerProcess worker, int exitCode);
  }

  private final String name;
  private final File errors;
  private final Process process;
  private volatile boolean killed;

  private WorkerProcess(String name, File errors, Process process) {
    this.name = name;
    this.errors = errors;
    this.process = process;
  }

  /** Starts it and returns at once. */
  static WorkerProcess start(String name, Class<?> main, List<String> args, Listener listener) {
    try {
      File errors = Files.createTempFile("syncguard-worker-", ".log").toFile();
      Process process =
          new ProcessBuilder(JavaCommand.of(main, args)).redirectError(errors).start();
      WorkerProcess worker = new WorkerProcess(name, errors, process);
      Thread reader = new Thread(() -> worker.read(listener), name);
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start a JVM", e);
    }
  }

  /** Lines are whole even after a kill: so short a write into a pipe is all or nothing. */
  private void read(Listener listener) {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        listener.told(this, line);
      }
    } catch (IOException e) {
      // The pipe of a process that was killed may break instead of ending.
    }
    try {
      listener.ended(this, process.waitFor());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String name() {
    return name;
  }

  void begin() {
    tell("");
  }

  /** Writes a line to it. */
  void tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
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

  /**
   * Sends SIGKILL, and returns at once. Through its handle: the process itself would close this end
   * of its pipe, and lose what it told before it died.
   */
  void kill() {
    killed = true;
    process.toHandle().destroyForcibly();
  }

  /** Sends a signal, such as STOP or CONT. */
  void signal(String signal) {
    Signals.send(signal, List.of(process.toHandle()));
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
    end();
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
