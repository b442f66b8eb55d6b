package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockInfo;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Also what is the same on all stores, and need not be started on each. */
class SqliteCommandTest extends CommandContract {

  private Path file;

  @Override
  String emptyStore(Path home) {
    file = home.resolve("test.db");
    return "sqlite:" + file;
  }

  /** Also where another process keeps the file open, and so the log too. */
  @Test
  void whatHasExpiredIsGoneFromTheDiskAfterTheNextCommand() throws Exception {
    String payload = "a payload that is nowhere else";
    SecretId id = guard().secrets().put(payload.getBytes(UTF_8), Views.of(1), Duration.ofMillis(1));
    Eventually.eventually(() -> assertThat(guard().secrets().peek(id)).isEmpty());
    Path log = file.resolveSibling("test.db-wal");
    assertThat(Files.readString(log, ISO_8859_1)).contains(payload);

    assertThat(syncguard().run("ls").code()).isZero();

    assertThat(Files.readString(log, ISO_8859_1)).doesNotContain(payload);
    assertThat(Files.readString(file, ISO_8859_1)).doesNotContain(payload);
  }

  @Test
  void theStoreAtHomeIsForItsOwnerAlone(@TempDir Path home) throws Exception {
    assertThat(new Syncguard(home, Map.of()).run("lock", "acquire", "k").code()).isZero();
    Path directory = home.resolve(".syncguard");
    assertThat(rightsOf(directory)).isEqualTo("rwx------");
    assertThat(rightsOf(directory.resolve("syncguard.db"))).isEqualTo("rw-------");
  }

  private static String rightsOf(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aLockThatIsBusyOrGoneIsSaidToBe() throws Exception {
    LockHandle lock = hold("k");
    Outcome busy = syncguard().run("lock", "try", "k");
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
