package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockInfo;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Also what is the same on all stores, and need not be started on each. */
class SqliteCommandTest extends CommandContract {

  @Override
  String emptyStore(Path home) {
    return "sqlite:" + home.resolve("test.db");
  }

  @Test
  void aLockThatIsBusyOrGoneIsSaidToBe() throws Exception {
    LockHandle lock = hold("k");
    Outcome busy = syncguard().run("lock", "acquire", "k");
    assertThat(busy.code()).isEqualTo(75);
    assertThat(busy.errors()).isEqualTo("syncguard: 'k' is busy\n");
    assertThat(busy.output()).isEmpty();

    lock.release();
    assertThat(syncguard().run("lock", "extend", lock.lockId().value()).code()).isEqualTo(76);
    assertThat(syncguard().run("lock", "release", lock.lockId().value()).code()).isEqualTo(1);
    Outcome free = syncguard().run("lock", "show", "k", "--json");
    assertThat(free.code()).isEqualTo(1);
    assertThat(free.json().get("held").asBoolean()).isFalse();
  }

  @Test
  void aRunWhoseLockWasTakenAwayBeforeItsEndSaysSo() throws Exception {
    try (RunningCommand run = runWith("--lease", "10m")) {
      takeAway("k");
      Outcome ended = run.end();
      assertThat(ended.code()).isEqualTo(76);
      assertThat(ended.errors()).contains("lost before the command ended, with code 0");
    }
  }

  @Test
  void aSignalReachesTheCommand() throws Exception {
    String script = "trap 'echo caught; exit 5' TERM; echo held; while :; do sleep 0.1; done";
    try (RunningCommand run =
        syncguard().start("run", "k", "--", "sh", "-c", script).untilItPrints("held")) {
      run.process().destroy();
      Outcome ended = run.end();
      assertThat(ended.code()).isEqualTo(5);
      assertThat(ended.text()).endsWith("caught");
      assertThat(guard().locks().isLocked("k")).isFalse();
    }
  }

  @Test
  void aRunThatFailsStillKeepsItsLockForTheMinimum() throws Exception {
    assertThat(syncguard().run("run", "k", "--every", "1h", "--", "false").code()).isEqualTo(1);
    LockInfo lock = guard().locks().getByKey("k").orElseThrow();
    assertThat(Duration.between(lock.acquiredAt(), lock.expiresAt()))
        .isBetween(Duration.ofMillis(3_598_900), Duration.ofMillis(3_630_000));
  }
}
