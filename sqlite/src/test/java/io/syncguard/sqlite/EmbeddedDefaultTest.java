package io.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a user gets who names no store. */
class EmbeddedDefaultTest {

  @TempDir private Path home;
  private String realHome;

  @BeforeEach
  void moveHome() {
    realHome = System.setProperty("user.home", home.toString());
  }

  @AfterEach
  void moveBack() {
    System.setProperty("user.home", realHome);
  }

  @Test
  void withoutAUriLocksAreInAFileAtHome() {
    AtomicBoolean ran = new AtomicBoolean();
    try (SyncGuard guard = SyncGuard.open()) {
      guard.locks().run("report", lock -> ran.set(true));
    }
    assertThat(ran).isTrue();
    assertThat(home.resolve(".syncguard/syncguard.db")).isNotEmptyFile();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void thatPlaceIsForItsOwnerAloneWhateverItWasBefore() throws Exception {
    SyncGuard.open().close();
    Path directory = home.resolve(".syncguard");
    Path file = directory.resolve("syncguard.db");
    assertThat(rightsOf(directory)).isEqualTo("rwx------");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    SyncGuard.open().close();
    assertThat(rightsOf(directory)).isEqualTo("rwx------");
    assertThat(rightsOf(file)).isEqualTo("rw-------");
  }

  private static String rightsOf(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void fencesGoOnWhenTheFileIsOpenedAgain() {
    long first = nextFence();
    assertThat(nextFence()).isGreaterThan(first);
  }

  private static long nextFence() {
    try (SyncGuard guard = SyncGuard.open()) {
      return guard.locks().call("report", lock -> lock.fence().toLong());
    }
  }
}
