package io.syncguard.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Finding;
import io.syncguard.testkit.sql.BareLocks;
import io.syncguard.testkit.sql.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A user who only looks changes nothing, and needs no right to. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqliteReadOnlyTest {

  private static final List<String> AS_ANOTHER_USER = List.of("unshare", "--user");

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("a b?.db");
  }

  @AfterEach
  void letFilesBeDeleted() throws Exception {
    let(directory, "rwx------");
  }

  private static void let(Path path, String rights) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private void letAllBeReadOnly() throws Exception {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        let(file, "r--------");
      }
    }
    let(directory, "r-x------");
  }

  private static List<RawLockInfo> locksIn(SqliteStore store) {
    return store.scanLocks().next(BareLocks.NEVER).orElse(List.of());
  }

  /** A process that looks. */
  static final class Looking {

    private Looking() {}

    public static void main(String[] args) {
      try (SqliteStore store = SqliteStore.open(Path.of(args[0]));
          SyncGuard guard = SyncGuard.over(store)) {
        System.out.println("k: " + guard.locks().isLocked("k"));
        for (RawLockInfo lock : locksIn(store)) {
          System.out.println("lock " + lock.key());
        }
        for (Finding found : store.examine()) {
          if (found.subject().equals("integrity") || found.subject().equals("rights")) {
            System.out.println(found.subject() + " " + found.level());
          }
        }
        guard.locks().tryLock("other", BareLocks.TTL);
      } catch (SyncGuardException e) {
        System.out.println("failed: " + e.code());
      }
    }
  }

  private static boolean canBeAnotherUser() throws Exception {
    List<String> trial = new ArrayList<>(AS_ANOTHER_USER);
    trial.add("true");
    try {
      return new ProcessBuilder(trial).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** As a user who may do no more than the file's rights say, which root may. */
  private List<String> look() throws Exception {
    return look(file());
  }

  private List<String> look(Path path) throws Exception {
    List<String> command = new ArrayList<>();
    if (Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid"))) {
      assumeTrue(canBeAnotherUser(), "root can be another user, which some containers refuse");
      command.addAll(AS_ANOTHER_USER);
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Looking.class.getName(), path.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
  }

  @Test
  void aReaderSeesWhatIsThereAlthoughNoClientHasItOpen() throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      BareLocks.acquire(store.locks(), "k", LockId.random());
    }
    letAllBeReadOnly();
    assertThat(look())
        .containsExactly(
            "k: true", "lock k", "integrity OK", "rights FAILURE", "failed: AUTH_FAILED");
    assertThat(directory.toFile().list()).containsExactly(file().getFileName().toString());
  }

  /** The version that wrote it knew no queue, and this user cannot add one. */
  @Test
  void aReaderSeesWhatIsInAFileWithoutAQueue() throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      BareLocks.acquire(store.locks(), "k", LockId.random());
    }
    QueueTables.drop(file());
    letAllBeReadOnly();
    assertThat(look()).contains("k: true", "lock k", "integrity OK", "failed: AUTH_FAILED");
  }

  @Test
  void aReaderSeesWhatOthersHaveJustWritten() throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      BareLocks.acquire(store.locks(), "k", LockId.random());
      letAllBeReadOnly();
      assertThat(look()).contains("k: true", "lock k", "integrity OK", "failed: AUTH_FAILED");
      BareLocks.acquire(store.locks(), "later", LockId.random());
      assertThat(look()).contains("lock k", "lock later");
    }
  }

  @Test
  void aReaderLeavesNoFilesWhereItMayCreateThem() throws Exception {
    SqliteStore.open(file()).close();
    let(file(), "r--------");
    assertThat(look()).contains("k: false", "rights FAILURE");
    assertThat(directory.toFile().list()).containsExactly(file().getFileName().toString());
  }

  /** SQLite's log lies beside the file itself, so the rights of that directory count. */
  @Test
  void aLinkFromADirectoryWithoutRightsLeadsToAFileThatMayBeWritten() throws Exception {
    SqliteStore.open(file()).close();
    Path links = Files.createDirectory(directory.resolve("links"));
    Path link = Files.createSymbolicLink(links.resolve("link.db"), file());
    let(links, "r-x------");
    try {
      assertThat(look(link)).contains("rights OK").doesNotContain("failed: AUTH_FAILED");
    } finally {
      let(links, "rwx------");
    }
  }

  @Test
  void aFileThatIsNotSetUpIsRefusedToAReader() throws Exception {
    Files.createFile(file());
    letAllBeReadOnly();
    assertThat(look()).containsExactly("failed: AUTH_FAILED");
  }

  @Test
  void aFileThatMustNotBeReadIsRefused() throws Exception {
    SqliteStore.open(file()).close();
    let(file(), "---------");
    assertThat(look()).containsExactly("failed: AUTH_FAILED");
  }

  @Test
  void openingAndLookingWritesNothingAndWakesNoWaiter() throws Exception {
    try (SqliteStore store = SqliteStore.open(file());
        Connection other = Sql.on(file()).begin()) {
      BareLocks.acquire(store.locks(), "k", LockId.random());
      Object before = version(other);
      try (SqliteStore looking = SqliteStore.open(file())) {
        assertThat(locksIn(looking)).hasSize(1);
        looking.examine();
      }
      assertThat(version(other)).isEqualTo(before);
    }
  }

  private static Object version(Connection connection) throws Exception {
    Object version = Sql.rowsOn(connection, "PRAGMA data_version");
    connection.rollback();
    return version;
  }

  @Test
  void aTableThatIsMissingIsCreatedAgain() {
    SqliteStore.open(file()).close();
    Sql.on(file()).execute("DROP TABLE syncguard_counters");
    SqliteStore.open(file()).close();
    assertThat(Sql.on(file()).number("SELECT count(*) FROM syncguard_counters")).isZero();
  }
}
