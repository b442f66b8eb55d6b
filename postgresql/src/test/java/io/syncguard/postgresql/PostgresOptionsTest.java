package io.syncguard.postgresql;

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
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTables(name, "b"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withTables("b", name));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withQueueTables(name, "b", "c"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withQueueTables("b", name, "c"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withQueueTables("b", "c", name));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSecretTables(name, "b"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSecretTables("b", name));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withLimitTables(name, "b"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withLimitTables("b", name));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSemaphoreTables(name, "b"));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSemaphoreTables("b", name));
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    assertFails(
        Code.INVALID_ARGUMENT, () -> PostgresOptions.defaults().withTables("a".repeat(54), "b"));
  }

  @ParameterizedTest
  @CsvSource({"a, a", "a, a_expires", "a, syncguard_waiters"})
  void namesThatCollideAreRefused(String locks, String fences) {
    assertFails(Code.INVALID_ARGUMENT, () -> PostgresOptions.defaults().withTables(locks, fences));
  }

  @ParameterizedTest
  @CsvSource({"a, a, b", "a, b, a", "b, a, a", "a_queue, a, b", "a, b, syncguard_locks"})
  void namesForQueuesThatCollideAreRefused(String queues, String waiters, String processes) {
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> PostgresOptions.defaults().withQueueTables(queues, waiters, processes));
  }

  @ParameterizedTest
  @CsvSource({"a, a", "syncguard_locks, a", "a, syncguard_waiters", "a_queue, a", "a_deadline, a"})
  void namesForSemaphoresThatCollideAreRefused(String semaphores, String permits) {
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> PostgresOptions.defaults().withSemaphoreTables(semaphores, permits));
  }

  @ParameterizedTest
  @CsvSource({"a, a", "a, a_expires", "syncguard_locks, a", "syncguard_locks_expires, a"})
  void namesOfSecretsAndLimitsThatCollideAreRefused(String one, String other) {
    PostgresOptions defaults = PostgresOptions.defaults();
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withSecretTables(one, other));
    assertFails(Code.INVALID_ARGUMENT, () -> defaults.withLimitTables(one, other));
  }

  @Test
  void eachTableHasTheNameThatItWasGiven() {
    PostgresOptions options =
        PostgresOptions.defaults().withSecretTables("s", "p").withLimitTables("c", "l");
    assertThat(options.secretsTable()).isEqualTo("s");
    assertThat(options.payloadsTable()).isEqualTo("p");
    assertThat(options.countersTable()).isEqualTo("c");
    assertThat(options.limitersTable()).isEqualTo("l");
    assertThat(options.locksTable()).isEqualTo(PostgresOptions.DEFAULT_LOCKS_TABLE);
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
