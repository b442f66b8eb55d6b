package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the command builds itself in a clone. Maven is played by a script that counts. */
class CloneTest {

  private static final String MAVEN =
      """
      #!/bin/sh
      echo . >>"$BUILDS"
      [ ! -e "$WAIT" ] || { echo >"$BUILDS.waits"; while [ -e "$WAIT" ]; do sleep 0.01; done; }
      cd "$(dirname "$4")/cli" && mkdir -p target/syncguard/bin target/syncguard/lib &&
        cat src/main/source >target/syncguard/lib/syncguard.jar &&
        printf '#!/bin/sh\\necho "$(cat "${0%%/*}/../lib/syncguard.jar")" "$@"\\n' >target/syncguard/bin/syncguard &&
        chmod +x target/syncguard/bin/syncguard
      """;

  @TempDir private Path directory;
  private Path clone;
  private Path source;
  private Path builds;
  private Path wait;

  @BeforeEach
  void makeClone() throws IOException {
    clone = Files.createDirectory(directory.resolve("a clone"));
    source = clone.resolve("cli/src/main/source");
    builds = directory.resolve("builds");
    wait = directory.resolve("wait");
    Files.createDirectories(source.getParent());
    Files.createDirectories(clone.resolve(".mvn"));
    Files.writeString(source, "first");
    Files.writeString(clone.resolve("pom.xml"), "pom");
    Files.writeString(clone.resolve("cli/pom.xml"), "pom");
    executable(
        clone.resolve("syncguard"), Files.readString(Path.of("../syncguard").toAbsolutePath()));
    executable(Files.createDirectory(directory.resolve("bin")).resolve("mvn"), MAVEN);
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private RunningCommand start(Path command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command.toString(), "an arg").directory(new java.io.File("/"));
    builder.environment().merge("PATH", directory.resolve("bin") + ":", (path, bin) -> bin + path);
    builder.environment().put("BUILDS", builds.toString());
    builder.environment().put("WAIT", wait.toString());
    return RunningCommand.start(builder, directory);
  }

  private String run(Path command) throws Exception {
    try (RunningCommand running = start(command)) {
      Outcome ended = running.end();
      assertThat(ended.code()).as("%s", ended).isZero();
      return ended.text();
    }
  }

  private String run() throws Exception {
    return run(clone.resolve("syncguard"));
  }

  private long builds() throws IOException {
    return Files.readString(builds).lines().count();
  }

  @Test
  void itIsBuiltOnce() throws Exception {
    assertThat(run()).isEqualTo("first an arg");
    assertThat(run()).isEqualTo("first an arg");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void itIsBuiltAgainWhenASourceWasChangedAddedOrDeletedWhateverItsTime() throws Exception {
    run();
    Files.writeString(source, "other");
    Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
    assertThat(run()).isEqualTo("other an arg");
    Path added = Files.createFile(source.resolveSibling("added"));
    run();
    assertThat(builds()).isEqualTo(3);
    Files.delete(added);
    run();
    run();
    assertThat(builds()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100})
  void aTouchedSourceIsNotBuiltAgain(long days) throws Exception {
    run();
    FileTime later = FileTime.from(Instant.now().plus(Duration.ofDays(days)));
    Files.setLastModifiedTime(clone.resolve("pom.xml"), later);
    Files.setLastModifiedTime(source, later);
    run();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void aCopiedCloneIsNotBuiltAgain() throws Exception {
    run();
    Path copy = directory.resolve("copy");
    copy(clone, copy);
    assertThat(run(copy.resolve("syncguard"))).isEqualTo("first an arg");
    assertThat(builds()).isEqualTo(1);
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(from)) {
      all = found.toList();
    }
    for (Path path : all) {
      Files.copy(path, to.resolve(from.relativize(path)));
      to.resolve(from.relativize(path)).toFile().setExecutable(path.toFile().canExecute());
    }
  }

  @Test
  void aChangeDuringTheBuildIsBuiltTheNextTime() throws Exception {
    Files.createFile(wait);
    try (RunningCommand building = start(clone.resolve("syncguard"))) {
      untilMavenWaits();
      Files.writeString(clone.resolve("pom.xml"), "changed");
      Files.delete(wait);
      building.end();
    }
    run();
    run();
    assertThat(builds()).isEqualTo(2);
  }

  private void untilMavenWaits() throws Exception {
    while (!Files.exists(Path.of(builds + ".waits"))) {
      Thread.sleep(5);
    }
  }

  @Test
  void aBuildThatWasKilledIsDoneAgain() throws Exception {
    run();
    Files.writeString(source, "other");
    Files.createFile(wait);
    try (RunningCommand killed = start(clone.resolve("syncguard"))) {
      untilMavenWaits();
      killed.process().destroyForcibly().waitFor();
      // Half a jar, of sources that are then what they were.
      Files.writeString(clone.resolve("cli/target/syncguard/lib/syncguard.jar"), "");
      Files.writeString(source, "first");
      Files.delete(wait);
      assertThat(run()).isEqualTo("first an arg");
    }
  }

  @Test
  void whatAnotherRunBuiltMeanwhileIsNotTakenForItsOwn() throws Exception {
    run();
    Files.writeString(clone.resolve("cli/target/syncguard/lib/syncguard.jar"), "other");
    assertThat(run()).isEqualTo("first an arg");
  }

  @Test
  void runsThatBeginTogetherBuildOnce() throws Exception {
    List<RunningCommand> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(start(clone.resolve("syncguard")));
    }
    for (RunningCommand running : all) {
      assertThat(running.end().text()).isEqualTo("first an arg");
      running.close();
    }
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void itIsFoundThroughLinks() throws Exception {
    Files.createSymbolicLink(directory.resolve("one"), Path.of("a clone/syncguard"));
    Path other = Files.createSymbolicLink(directory.resolve("other"), Path.of("one"));
    assertThat(run(other)).isEqualTo("first an arg");
  }

  @Test
  void aFailedBuildIsTriedAgain() throws Exception {
    Files.delete(source);
    try (RunningCommand failing = start(clone.resolve("syncguard"))) {
      Outcome failed = failing.end();
      assertThat(failed.code()).isEqualTo(69);
      assertThat(failed.errors()).contains("the build failed");
    }
    Files.writeString(source, "mended");
    assertThat(run()).isEqualTo("mended an arg");
  }

  @Test
  void withoutMavenWhatIsThereIsUsed() throws Exception {
    run();
    Files.writeString(source, "other");
    Files.delete(directory.resolve("bin/mvn"));
    ProcessBuilder builder = new ProcessBuilder(clone.resolve("syncguard").toString());
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("sh", "cat", "cksum", "dirname", "find", "sort", "tail")) {
      executable(tools.resolve(tool), "#!/bin/sh\nPATH=/usr/bin:/bin exec " + tool + " \"$@\"\n");
    }
    builder.environment().put("PATH", tools.toString());
    try (RunningCommand running = RunningCommand.start(builder, directory)) {
      Outcome ended = running.end();
      assertThat(ended.text()).as("%s", ended).isEqualTo("first");
      assertThat(ended.errors()).contains("may be older", "Maven is needed");
    }
  }
}
