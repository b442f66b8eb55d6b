package io.syncguard.cli;

import io.syncguard.cli.output.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

@Command(
    name = "warm-up",
    hidden = true,
    header = "Load what commands need, for an archive of classes that is made meanwhile.",
    description = "For the launcher. Uses its own store, and leaves nothing behind.")
final class WarmUpCommand implements Callable<Integer> {

  /** There is no server: it loads what connecting needs, and fails at once. */
  private static final String NO_REDIS = "redis://127.0.0.1:1";

  @Override
  public Integer call() throws IOException {
    Path directory = Files.createTempDirectory("syncguard-warm-up");
    String store = "sqlite:" + directory.resolve("warm-up.db");
    try {
      Main.execute("run", "--store", store, "warm-up", "--", "true");
      Main.execute("run", "--store", NO_REDIS, "warm-up", "--", "true");
    } finally {
      delete(directory);
    }
    return Exit.OK;
  }

  private static void delete(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(directory)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
