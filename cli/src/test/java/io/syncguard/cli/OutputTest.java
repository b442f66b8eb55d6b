package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a command whose output goes nowhere. */
class OutputTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir private Path home;
  private Syncguard syncguard;
  private SyncGuard guard;

  @BeforeEach
  void open() {
    String uri = "sqlite:" + home.resolve("test.db");
    syncguard = Syncguard.on(uri, home);
    guard = SyncGuard.open(uri, GuardOptions.defaults().withKeepOnClose());
  }

  @AfterEach
  void close() {
    guard.close();
  }

  /** Runs it in a shell, in which "$@" is the command. */
  private Outcome inShell(String script, String... args) throws Exception {
    List<String> shell = List.of("sh", "-c", script, "sh", Syncguard.COMMAND.toString());
    try (RunningCommand running = syncguard.start(shell, args)) {
      return running.end();
    }
  }

  /** Runs it with a pipe for output that is not read any more. */
  private Outcome unread(String... args) throws Exception {
    String untilUnread = "trap '' PIPE; while echo x; do :; done 2>/dev/null; trap - PIPE";
    Outcome outcome =
        inShell("{ { " + untilUnread + "; \"$@\"; echo $? >&3; } | true; } 3>&1", args);
    return new Outcome(Integer.parseInt(outcome.text()), new byte[0], outcome.errors());
  }

  static boolean hasFullDevice() {
    return Files.exists(Path.of("/dev/full"));
  }

  private static void assertToldInOneLine(Outcome failed, String... words) {
    assertThat(failed.code()).as("%s", failed).isEqualTo(74);
    assertThat(failed.errors().lines()).hasSize(1).first().asString().contains(words);
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aLockWhoseIdCannotBeToldIsReleased() throws Exception {
    Outcome full = inShell("\"$@\" >/dev/full", "lock", "acquire", "k", "--ttl", "10m");
    assertToldInOneLine(full, "the lock was released again");
    assertThat(guard.locks().isLocked("k")).isFalse();
    assertToldInOneLine(unread("lock", "acquire", "k", "--ttl", "10m"), "released again");
    assertThat(guard.locks().isLocked("k")).isFalse();
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aSecretThatCannotBePrintedIsNotViewed() throws Exception {
    SecretId id = guard.secrets().put(new byte[] {1}, Views.of(1), LONG);
    Outcome full = inShell("\"$@\" >/dev/full", "secret", "view", id.value());
    assertToldInOneLine(full, "the secret was not viewed");
    Outcome closed = inShell("\"$@\" >&-", "secret", "view", id.value());
    assertToldInOneLine(closed, "the secret was not viewed");
    assertThat(guard.secrets().peek(id)).isPresent();
  }

  @Test
  void aSecretIsNotViewedWhereTheLargestHasNoRoom() throws Exception {
    byte[] largest = new byte[Secrets.DEFAULT_LARGEST_PAYLOAD];
    SecretId id = guard.secrets().put(largest, Views.of(1), LONG);
    Path disk = Files.createDirectory(home.resolve("disk"));
    String mounted = "mount -t tmpfs -o size=1m none " + disk + " && \"$@\" >" + disk + "/out";
    String onSmallDisk = "unshare --user --map-root-user --mount sh -c '" + mounted + "' sh \"$@\"";
    assumeTrue(inShell(onSmallDisk, "--version").code() == 0, "a small disk can be mounted");
    Outcome full = inShell(onSmallDisk, "secret", "view", id.value(), "--json");
    assertToldInOneLine(full, "the secret was not viewed");
    assertThat(guard.secrets().peek(id)).isPresent();
  }

  @Test
  void whatWasDoneIsSaidThoughItsReportIsNotRead() throws Exception {
    assertToldInOneLine(
        unread("limit", "hit", "k", "--max", "1", "--window", "1h"), "the hit was counted");
    guard.locks().tryLock("k", LONG);
    assertToldInOneLine(
        unread("release", "--force", "--yes", "k", "--json"), "the lock was released");
    String lockId = ((LockHandle) guard.locks().tryLock("k", LONG)).lockId().value();
    assertToldInOneLine(unread("lock", "extend", lockId, "--json"), "the lock was extended");
    assertToldInOneLine(unread("lock", "release", lockId, "--json"), "the lock was released");
    String secret = guard.secrets().put(new byte[] {1}, Views.of(1), LONG).value();
    assertToldInOneLine(unread("secret", "burn", secret, "--json"), "the secret was burned");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--", "--json"})
  void aViewThatIsNotReadIsSaidToBeUsedUp(String option) throws Exception {
    SecretId id = guard.secrets().put(new byte[] {1}, Views.of(1), LONG);
    assertToldInOneLine(
        unread("secret", "view", option, id.value()), "a view of the secret is used up");
  }

  @Test
  void aSecretWhoseIdCannotBeToldIsBurned() throws Exception {
    assertToldInOneLine(unread("secret", "put"), "the secret was burned");
    assertToldInOneLine(unread("secret", "put", "--seal", "--json"), "the secret was burned");
  }

  /** Whatever is opened first gets the number of what is closed. */
  @ParameterizedTest
  @ValueSource(strings = {"<&- >&-", ">&- 2>&-"})
  void aClosedOutputIsNoFileOfTheStores(String closed) throws Exception {
    Outcome failed = inShell("\"$@\" " + closed, "lock", "acquire", "k");
    assertThat(failed.code()).isEqualTo(74);
    assertThat(guard.locks().isLocked("k")).isFalse();
    assertThat(inShell("\"$@\" " + closed, "run", "k", "--", "true").code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "ls", "lock show k"})
  @EnabledIf("hasFullDevice")
  void whatCannotBeWrittenIsNoSuccess(String command) throws Exception {
    Outcome failed = inShell("\"$@\" >/dev/full", command.split(" ", -1));
    assertToldInOneLine(failed, "the output could not be written");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls --watch 10ms", "--help"})
  void aReaderWhoHasEnoughIsNotTold(String command) throws Exception {
    Outcome enough = unread(command.split(" ", -1));
    assertThat(enough.code()).as("%s", enough).isEqualTo(141);
    assertThat(enough.errors()).isEmpty();
  }

  @Test
  void watchingEndsWithItsReader() throws Exception {
    Outcome first = inShell("\"$@\" | head -n 1", "ls", "--watch", "10ms");
    assertThat(first.text()).isEqualTo("nothing is held");
    assertThat(first.errors()).isEmpty();
  }
}
