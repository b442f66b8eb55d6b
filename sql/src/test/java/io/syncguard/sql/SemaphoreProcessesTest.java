package io.syncguard.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.testkit.server.PostgresDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that holds a slot and waits for another, and is killed. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SemaphoreProcessesTest {

  private static final String NAME = "n";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final SemaphoreOptions MORTAL =
      SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(1));

  @Test
  void whatAKilledProcessHadIsFreeOnPostgres() throws Exception {
    try (PostgresDatabase database = PostgresDatabase.create(18)) {
      try (PostgresStore store = PostgresStore.connect(database.uri())) {
        store.setupSchema();
      }
      checkKill(database.uri(), Sql.on(database));
    }
  }

  @Test
  void whatAKilledProcessHadIsFreeOnSqlite(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("permits.db");
    checkKill("sqlite:" + file, Sql.on(file));
  }

  private static void checkKill(String uri, Sql sql) throws Exception {
    Process victim = start(uri);
    try (SyncGuard guard = SyncGuard.open(uri);
        BufferedReader output = victim.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("holds");
      victim.destroyForcibly();
      try (Permit permit = guard.semaphore(NAME, 1, MORTAL).acquire(PATIENCE)) {
        assertThat(permit.isHeld()).isTrue();
        assertThat(permit.slot()).isEqualTo(1);
      }
    } finally {
      victim.destroyForcibly().waitFor();
    }
    assertThat(sql.number("SELECT count(*) FROM syncguard_permits")).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_semaphores")).isZero();
  }

  private static Process start(String uri) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                uri))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Holds the only slot, has a waiter behind it, and says so. */
  static final class Victim {

    private Victim() {}

    public static void main(String[] args) throws Exception {
      try (SyncGuard guard = SyncGuard.open(args[0])) {
        FairSemaphore semaphore = guard.semaphore(NAME, 1, MORTAL);
        try (Permit permit = semaphore.acquire()) {
          semaphore.async().acquire(PATIENCE);
          while (guard.semaphores().stats(NAME).filter(stats -> stats.waiting() > 0).isEmpty()) {
            Thread.onSpinWait();
          }
          System.out.println("holds");
          while (permit.isHeld()) {
            Thread.sleep(100);
          }
        }
      }
    }
  }
}
