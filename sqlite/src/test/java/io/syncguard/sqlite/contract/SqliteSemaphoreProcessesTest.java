package io.syncguard.sqlite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.testkit.SemaphoreProcessContract;
import io.syncguard.testkit.sql.Sql;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Several JVMs that share a semaphore in a file. */
@Tag("slow")
class SqliteSemaphoreProcessesTest extends SemaphoreProcessContract {
  @TempDir private Path directory;

  @Override
  protected String uri() {
    return "sqlite:" + file();
  }

  @Override
  protected void assertStoreIsEmpty() {
    Sql sql = Sql.on(file());
    assertThat(sql.number("SELECT count(*) FROM syncguard_permits")).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_semaphores")).isZero();
  }

  private Path file() {
    return directory.resolve("permits.db");
  }
}
