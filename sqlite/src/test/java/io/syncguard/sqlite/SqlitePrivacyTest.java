package io.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.testkit.sql.BareLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files hold secrets, so their owner alone may use them. */
@DisabledOnOs(OS.WINDOWS)
class SqlitePrivacyTest {

  private static final String OWNERS_FILE = "rw-------";
  private static final String OWNERS_DIRECTORY = "rwx------";

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("locks.db");
  }

  private List<Path> files() {
    return List.of(file(), directory.resolve("locks.db-wal"), directory.resolve("locks.db-shm"));
  }

  private static String rightsOf(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void let(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private SqliteStore openAndWrite(Path path) {
    SqliteStore store = SqliteStore.open(path);
    BareLocks.acquire(store.locks(), "k", LockId.random());
    return store;
  }

  private static Finding privacy(SqliteStore store) {
    return store.examine().stream()
        .filter(found -> found.subject().equals("privacy"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsCreatedIsForItsOwnerAlone() throws Exception {
    let(directory, "rwxr-xr-x");
    try (SqliteStore store = openAndWrite(directory.resolve("a/b/locks.db"))) {
      for (String created : List.of("a", "a/b")) {
        assertThat(rightsOf(directory.resolve(created))).as(created).isEqualTo(OWNERS_DIRECTORY);
      }
      for (String created : List.of("locks.db", "locks.db-wal", "locks.db-shm")) {
        assertThat(rightsOf(directory.resolve("a/b").resolve(created)))
            .as(created)
            .isEqualTo(OWNERS_FILE);
      }
      assertThat(privacy(store).level()).isEqualTo(Level.OK);
    }
  }

  @Test
  void aFileIsForItsOwnerAloneFromTheFirstMoment() throws Exception {
    new SqliteRights(file()).createFile();
    assertThat(rightsOf(file())).isEqualTo(OWNERS_FILE);
    assertThat(file()).isEmptyFile();
  }

  @Test
  void whatAllMayReadIsMendedButNotADirectoryThatIsTheUsers() throws Exception {
    let(directory, "rwxr-xr-x");
    try (SqliteStore store = openAndWrite(file())) {
      for (Path file : files()) {
        let(file, "rw-r--r--");
      }
      SqliteStore.open(file()).close();
      for (Path file : files()) {
        assertThat(rightsOf(file)).isEqualTo(OWNERS_FILE);
      }
      assertThat(rightsOf(directory)).isEqualTo("rwxr-xr-x");
      assertThat(privacy(store).level()).isEqualTo(Level.OK);
    }
  }

  @Test
  void whatTheOwnerLetsAGroupDoStays() throws Exception {
    openAndWrite(file()).close();
    let(file(), "rw-rw----");
    try (SqliteStore store = openAndWrite(file())) {
      for (Path file : files()) {
        assertThat(rightsOf(file)).isEqualTo("rw-rw----");
      }
      assertThat(privacy(store).detail()).contains("group");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw-rw-r--", "rw-----w-"})
  void aFileThatOthersMayUseIsFoundWhereItIsNotMended(String rights) throws Exception {
    try (SqliteStore store = openAndWrite(file())) {
      for (Path file : files()) {
        let(file, rights);
        assertThat(privacy(store).level()).isEqualTo(Level.WARNING);
        assertThat(privacy(store).advice()).contains("chmod go= " + file);
        let(file, OWNERS_FILE);
      }
    }
  }

  @Test
  void aDirectoryWhereOthersMayReplaceTheFileIsFound() throws Exception {
    let(directory, "rwxrwxrwx");
    try (SqliteStore store = openAndWrite(file())) {
      assertThat(privacy(store).level()).isEqualTo(Level.WARNING);
      assertThat(privacy(store).detail()).contains("directory");
    }
  }

  @Test
  void aLinkLeadsToFilesThatAreMendedToo() throws Exception {
    openAndWrite(file()).close();
    let(file(), "rw-r--r--");
    Path link = Files.createSymbolicLink(directory.resolve("link.db"), file());
    try (SqliteStore store = openAndWrite(link)) {
      for (Path file : files()) {
        assertThat(rightsOf(file)).isEqualTo(OWNERS_FILE);
      }
      let(directory.resolve("locks.db-wal"), "rw-r--r--");
      assertThat(privacy(store).level()).isEqualTo(Level.WARNING);
    }
  }
}
