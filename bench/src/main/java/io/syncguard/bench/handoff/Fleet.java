package io.syncguard.bench.handoff;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The processes of one contender, seen from their parent. Not thread-safe. */
final class Fleet implements AutoCloseable {

  private static final String KEY = "bench:hand-off";
  private static final Duration OPENING = Duration.ofMinutes(2);

  /** In which all threads are told to begin. */
  private static final Duration START = Duration.ofMillis(100);

  /** How long the last clients may take to have their turn. */
  private static final Duration END = Duration.ofMinutes(1);

  private final List<Process> processes = new ArrayList<>();
  private final List<BufferedReader> readers = new ArrayList<>();
  private final int clients;

  private Fleet(int clients) {
    this.clients = clients;
  }

  /**
   * Blocks until all clients are open.
   *
   * @throws IOException if they cannot be opened in time
   */
  static Fleet start(Contender contender, String uri, int processes, int clients)
      throws IOException {
    Fleet fleet = new Fleet(clients);
    try {
      for (int i = 0; i < processes; i++) {
        int first = clients * i / processes;
        fleet.add(contender, uri, clients * (i + 1) / processes - first, first);
      }
      for (BufferedReader reader : fleet.readers) {
        fleet.linesUntil(reader, Worker.READY, OPENING);
      }
      return fleet;
    } catch (IOException | RuntimeException e) {
      fleet.close();
      throw e;
    }
  }

  private void add(Contender contender, String uri, int ofThem, int first) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            Worker.class.getName(),
            contender.name(),
            uri,
            Integer.toString(ofThem),
            Integer.toString(first));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    processes.add(process);
    readers.add(process.inputReader(UTF_8));
  }

  /**
   * Blocks while all clients contend for the key, and until the last one that waits had its turn.
   *
   * @throws IOException if a process failed, or took too long
   */
  HandOffs contend(Duration slice) throws IOException {
    long from = System.nanoTime() + START.toNanos();
    long until = from + slice.toNanos();
    for (Process process : processes) {
      process.getOutputStream().write((KEY + " " + from + " " + until + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
    }
    List<Hold> holds = new ArrayList<>();
    for (BufferedReader reader : readers) {
      linesUntil(reader, Worker.DONE, slice.plus(END)).forEach(line -> holds.add(Hold.parse(line)));
    }
    return HandOffs.of(holds, clients, from, until);
  }

  /** A process that takes too long is ended, and with it its lines. */
  private List<String> linesUntil(BufferedReader reader, String last, Duration limit)
      throws IOException {
    CompletableFuture<Void> inTime = new CompletableFuture<>();
    CompletionStage<Void> ended = inTime.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS);
    ended.exceptionally(
        late -> {
          close();
          return null;
        });
    List<String> lines = new ArrayList<>();
    for (String line = reader.readLine(); !last.equals(line); line = reader.readLine()) {
      if (line == null) {
        throw new IOException("a process failed, or took more than " + limit.toSeconds() + " s");
      }
      lines.add(line);
    }
    inTime.complete(null);
    return lines;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
