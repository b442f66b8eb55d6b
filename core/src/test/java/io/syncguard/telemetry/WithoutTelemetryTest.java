package io.syncguard.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.secret.Views;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Without telemetry none of its objects is made. A JVM of its own tells: it has not even loaded
 * their classes.
 */
class WithoutTelemetryTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Pattern LOADED = Pattern.compile("(io\\.syncguard\\.[\\w.$]+) source:");

  /** Uses every primitive, with a listener to telemetry if there is an argument. */
  public static void main(String[] withTelemetry) {
    GuardOptions options =
        withTelemetry.length == 0
            ? GuardOptions.defaults()
            : GuardOptions.defaults().withTelemetry(Telemetry.to(event -> {}));
    try (SyncGuard guard = SyncGuard.open("memory:", options)) {
      guard.locks().run("k", lock -> lock.extend(MINUTE));
      LockHandle released = guard.locks().lock("k");
      released.release();
      released.extend(MINUTE);
      guard.locks().async().isLocked("k").toCompletableFuture().join();
      guard.semaphore("s", 1).acquire().close();
      guard.secrets().put(new byte[1], Views.of(1), MINUTE);
      guard.counters().increment("c", 1, MINUTE);
      guard.rateLimiter("r", 1, MINUTE, 1).tryAcquire();
    }
  }

  @Test
  void noneOfItsObjectsIsMade() throws Exception {
    assertThat(madeBy())
        .contains("io.syncguard.internal.lock.StoreLocks")
        .noneMatch(WithoutTelemetryTest::isOfTelemetry);
  }

  @Test
  void withItTheyAre() throws Exception {
    assertThat(madeBy("with telemetry"))
        .contains(
            "io.syncguard.internal.telemetry.EventQueue",
            "io.syncguard.internal.telemetry.Events",
            "io.syncguard.internal.telemetry.ReportingExecutor",
            OperationEvent.class.getName(),
            WaitEvent.class.getName(),
            HoldEvent.class.getName())
        .anyMatch(WithoutTelemetryTest::isOfTelemetry);
  }

  /** Reasons, and the ends of holds, are constants that cost nothing. */
  private static boolean isOfTelemetry(String loaded) {
    return loaded.startsWith("io.syncguard.internal.telemetry.")
        || loaded.matches("io\\.syncguard\\.telemetry\\.\\w*Event(Subject)?");
  }

  private static List<String> madeBy(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xlog:class+load=info:stdout",
                "-cp",
                System.getProperty("java.class.path"),
                WithoutTelemetryTest.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return LOADED.matcher(output).results().map(match -> match.group(1)).toList();
  }
}
