package io.syncguard.sqlite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.testkit.process.ContentionResult;
import io.syncguard.testkit.process.ProcessContention;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several JVMs, one key, one file. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SqliteProcessesTest {

  @Test
  void processesThatAreKilledAtRandomNeverHoldTheLockTogether(@TempDir Path directory) {
    ContentionResult result =
        ProcessContention.on("sqlite:" + directory.resolve("locks.db"))
            .processes(4)
            .acquisitions(3000)
            .kills(6)
            .run();

    // A killed process took its fence with it: the history holds every one that was handed out, in
    // the order of the holds, and fails where one did not increase.
    result.history().check();
    assertThat(result.acquisitions()).isGreaterThanOrEqualTo(3000);
    assertThat(result.kills()).isEqualTo(6);
  }
}
