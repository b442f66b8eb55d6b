package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the README opens with compiles, runs, and is what stands here. */
class QuickStartTest {

  private static final String BEGIN = "// quick-start: begin";
  private static final String END = "// quick-start: end";

  private final List<String> done = new ArrayList<>();
  private final String order = "order 42";
  private final String report = "daily report";

  @Test
  void theQuickStartRuns() {
    // quick-start: begin
    try (SyncGuard guard = SyncGuard.open("memory:")) { // or redis://localhost:6379
      guard.locks().run("payment:42", lock -> charge(order, lock.fence())); // waits up to 5 s

      try (AcquireResult result = guard.locks().tryLock("report:daily", Duration.ofMinutes(5))) {
        if (result instanceof LockHandle lock) { // one attempt; otherwise it is Contended
          write(report, lock.fence());
          lock.extend(Duration.ofMinutes(5));
        }
      }
    }
    // quick-start: end
    assertThat(done).containsExactly("charged order 42", "wrote daily report");
  }

  @Test
  void theReadmeOpensWithTheQuickStart() throws IOException {
    Path module = Path.of(System.getProperty("basedir", ""));
    List<String> source =
        Files.readAllLines(
            module.resolve("src/test/java/io/syncguard/testkit/QuickStartTest.java"));
    List<String> readme = Files.readAllLines(module.resolve("../README.md"));

    List<String> quickStart = linesBetween(source, BEGIN, END);

    assertThat(quickStart).isNotEmpty();
    assertThat(linesBetween(readme, "```java", "```")).isEqualTo(quickStart);
  }

  /** Returns the lines between the first two that are the markers, without their indentation. */
  private static List<String> linesBetween(List<String> lines, String begin, String end) {
    return lines.stream()
        .map(String::strip)
        .dropWhile(line -> !line.equals(begin))
        .skip(1)
        .takeWhile(line -> !line.equals(end))
        .toList();
  }

  private void charge(String what, Fence fence) {
    assertThat(fence.toLong()).isPositive();
    done.add("charged " + what);
  }

  private void write(String what, Fence fence) {
    assertThat(fence.toLong()).isPositive();
    done.add("wrote " + what);
  }
}
