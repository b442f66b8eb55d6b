package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The temporary directory in which one server keeps its data, its configuration and its log. */
record DataDirectory(Path path) {
  private static final int LOG_TAIL_LINES = 20;
  private static final Duration DELETE_LIMIT = Duration.ofSeconds(5);

  static DataDirectory create(String kind) {
    try {
      return new DataDirectory(Files.createTempDirectory("syncguard-" + kind + "-"));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create a data directory", e);
    }
  }

  Path log() {
    return path.resolve("server.log");
  }

  Path write(String name, List<String> lines) {
    try {
      return Files.write(path.resolve(name), lines);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + name + " in " + path, e);
    }
  }

  String logTail() {
    try {
      List<String> lines = Files.readAllLines(log());
      int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
      return String.join(System.lineSeparator(), lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }

  /** Tries for a while, as a child that saves data may outlive a killed server. */
  void delete() {
    Await.until("removal of " + path, DELETE_LIMIT, this::isDeleted);
  }

  private boolean isDeleted() throws IOException {
    if (Files.notExists(path)) {
      return true;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
    return true;
  }
}
