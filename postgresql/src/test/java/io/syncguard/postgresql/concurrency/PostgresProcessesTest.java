package io.syncguard.postgresql.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.postgresql.PostgresStore;
import io.syncguard.testkit.process.ContentionResult;
import io.syncguard.testkit.process.ProcessContention;
import io.syncguard.testkit.server.PostgresDatabase;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several JVMs, one key. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresProcessesTest {

  @Test
  void processesThatAreKilledAtRandomNeverHoldTheLockTogether() {
    try (PostgresDatabase database = PostgresDatabase.create(18)) {
      try (PostgresStore store = PostgresStore.connect(database.uri())) {
        store.setupSchema();
      }
      ContentionResult result =
          ProcessContention.on(database.uri()).processes(4).acquisitions(3000).kills(6).run();

      result.history().check();
      assertThat(result.acquisitions()).isGreaterThanOrEqualTo(3000);
      assertThat(result.kills()).isEqualTo(6);
    }
  }
}
