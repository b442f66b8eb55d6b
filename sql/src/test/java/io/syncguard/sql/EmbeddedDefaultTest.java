package io.syncguard.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody gets who names no store. */
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
