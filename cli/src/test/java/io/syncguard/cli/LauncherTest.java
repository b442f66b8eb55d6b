package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher leaves beside the jar. Java is played by a script that takes its time. */
class LauncherTest {

  private static final String JAVA =
      """
      #!/bin/sh
      case "$*" in
        *-version*) echo 'openjdk version "17.0.1"' >&2 ;;
        *ArchiveClassesAtExit=*)
          for word; do
            case $word in
              -XX:ArchiveClassesAtExit=*) echo archive >"${word#*=}" ;;
            esac
          done
          while [ -e "$WAIT" ]; do sleep 0.01; done
          ;;
        *) echo started ;;
      esac
      """;

  @TempDir private Path directory;
  private Path launcher;
  private Path lib;
  private Path wait;
  private Syncguard syncguard;

  @BeforeEach
  void layOut() throws IOException {
    Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
    Files.writeString(java, JAVA);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    launcher = Files.createDirectory(directory.resolve("bin")).resolve("syncguard");
    Files.copy(Syncguard.COMMAND, launcher);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    lib = Files.createDirectory(directory.resolve("lib"));
    Files.createFile(lib.resolve("syncguard.jar"));
    wait = Files.createFile(directory.resolve("wait"));
    syncguard =
        new Syncguard(
            directory,
            Map.of("JAVA_HOME", directory.resolve("java").toString(), "WAIT", wait.toString()));
  }

  private RunningCommand start() throws IOException {
    return syncguard.start(List.of(launcher.toString()));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(lib)) {
      return files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
    }
  }

  private void untilHalfAnArchiveIsThere() throws Exception {
    while (!files().contains("archive")) {
      Thread.sleep(5);
    }
  }

  @Test
  void aFirstRunThatIsEndedLeavesNoArchive() throws Exception {
    try (RunningCommand running = start()) {
      untilHalfAnArchiveIsThere();
      running.process().destroy();
      assertThat(running.end().code()).isEqualTo(143);
      assertThat(files()).containsExactly("syncguard.jar");
    }
  }

  @Test
  void whatAKilledFirstRunLeftIsRemovedByTheNext() throws Exception {
    try (RunningCommand running = start()) {
      untilHalfAnArchiveIsThere();
      running.process().destroyForcibly().waitFor();
    }
    Files.delete(wait);
    try (RunningCommand next = start()) {
      assertThat(next.end().text()).isEqualTo("started");
    }
    assertThat(files())
        .containsExactlyInAnyOrder("syncguard.jar", "syncguard.jsa", "syncguard.jsa.java");
  }
}
