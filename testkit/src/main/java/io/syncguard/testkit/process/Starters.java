package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * JVMs that begin the same work together and then say what came of it. Each says that it is ready
 * and waits for a byte, see {@link #awaitTheStart}; all lines that it prints afterwards are its
 * result.
 */
final class Starters {

  private static final String READY = "ready";

  private Starters() {}

  /** Blocks until all have ended; returns the lines of all. */
  static List<String> run(Class<?> main, List<String> args, int count) {
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        processes.add(
            new ProcessBuilder(JavaCommand.of(main, args)).redirectError(Redirect.INHERIT).start());
      }
      List<BufferedReader> readers = processes.stream().map(p -> p.inputReader(UTF_8)).toList();
      for (BufferedReader reader : readers) {
        awaitReady(reader);
      }
      for (Process process : processes) {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      }
      return linesOf(processes, readers);
    } catch (IOException e) {
      throw new UncheckedIOException("A worker failed", e);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static void awaitReady(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    while (!READY.equals(line)) {
      if (line == null) {
        throw new IOException("A worker ended before it began");
      }
      line = reader.readLine();
    }
  }

  /** What the others print waits in their pipes; they stop only when those are full. */
  private static List<String> linesOf(List<Process> processes, List<BufferedReader> readers)
      throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      readers.get(i).lines().forEach(lines::add);
      try {
        int exitCode = processes.get(i).waitFor();
        if (exitCode != 0) {
          throw new IOException("A worker ended with exit code " + exitCode);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted while workers were at it", e);
      }
    }
    return lines;
  }

  /** In a worker: says that it is ready, and blocks until all are. */
  static void awaitTheStart() throws IOException {
    System.out.println(READY);
    if (System.in.read() < 0) {
      throw new IOException("The parent is gone");
    }
  }
}
