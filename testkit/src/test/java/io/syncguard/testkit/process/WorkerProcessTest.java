package io.syncguard.testkit.process;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WorkerProcessTest {

  private static final int LINES = 2000;

  /** Tells more than a reader buffers, notes that it has, and waits for its end. */
  static final class Teller {

    public static void main(String[] args) throws IOException {
      Parent.tell("begun");
      Parent.awaitTheWord();
      for (int i = 0; i < LINES; i++) {
        Parent.tell("line " + i);
      }
      Files.createFile(Path.of(args[0]));
      Parent.awaitTheWord();
    }
  }

  @Test
  void whatAWorkerToldBeforeItWasKilledIsRead(@TempDir Path folder) throws Exception {
    Path allTold = folder.resolve("all-told");
    List<String> told = new CopyOnWriteArrayList<>();
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    try (WorkerProcess worker =
        WorkerProcess.start(
            "teller",
            Teller.class,
            List.of(allTold.toString()),
            new WorkerProcess.Listener() {

              @Override
              public void told(WorkerProcess worker, String line) {
                told.add(line);
                if (line.equals("begun")) {
                  worker.begin();
                  awaitFile(allTold);
                  worker.kill();
                }
              }

              @Override
              public void ended(WorkerProcess worker, int exitCode) {
                ended.complete(exitCode);
              }
            })) {
      assertThat(ended.get(50, TimeUnit.SECONDS)).as("killed").isNotZero();
      assertThat(worker.wasKilled()).isTrue();
      assertThat(told).hasSize(LINES + 1).endsWith("line " + (LINES - 1));
    }
  }

  private static void awaitFile(Path file) {
    try {
      eventually(() -> assertThat(file).exists());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
