package io.syncguard.sql;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresOptionsTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a b", "a.b", "a\"b", "a;drop", "\u00e4", "a\n", "a\0"})
  void aNameThatIsNotPlainIsRefused(String name) {
    PostgresOptions defaults = PostgresOptions.defaults();
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTables(name, "b", "c"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTables("b", name, "c"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTables("b", "c", name));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSemaphoreTables(name, "b"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSemaphoreTables("b", name));
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> PostgresOptions.defaults().withTables("a".repeat(54), "b", "c"));
  }

  @ParameterizedTest
  @CsvSource({"a, a, b", "a, b, a", "b, a, a", "a, a_expires, b", "a, b, a_expires"})
  void namesThatCollideAreRefused(String locks, String fences, String waiters) {
    assertFails(
        Code.INVALID_ARGUMENT, () -> PostgresOptions.defaults().withTables(locks, fences, waiters));
  }

  @ParameterizedTest
  @CsvSource({"a, a", "syncguard_locks, a", "a, syncguard_waiters", "a_queue, a", "a_deadline, a"})
  void namesForSemaphoresThatCollideAreRefused(String semaphores, String permits) {
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> PostgresOptions.defaults().withSemaphoreTables(semaphores, permits));
  }

  @Test
  void aTimeoutMayBeLongButNotNothing() {
    PostgresOptions defaults = PostgresOptions.defaults();
    assertThat(defaults.withTimeout(Duration.ofDays(365)).timeout())
        .isEqualTo(Duration.ofDays(365));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTimeout(Duration.ZERO));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTimeout(Duration.ofSeconds(-1)));
  }
}
