package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command does whatever the store. */
class CommandLineTest {

  private static final String ESCAPE = "\u001b[";

  @TempDir private Path home;
  private Syncguard syncguard;

  @BeforeEach
  void haveNothingButAHome() {
    syncguard = new Syncguard(home, Map.of());
  }

  @Test
  void withoutAStoreItUsesAFileInTheUsersHome() throws Exception {
    assertThat(syncguard.run("run", "k", "--", "true").code()).isZero();
    assertThat(home.resolve(".syncguard/syncguard.db")).exists();
  }

  @Test
  void itRunsThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(home.resolve("sg"), Syncguard.COMMAND.toAbsolutePath());
    try (RunningCommand running = syncguard.start(List.of(link.toString()), "--version")) {
      assertThat(running.end().text()).matches("syncguard [0-9].*");
    } finally {
      Files.delete(link);
    }
  }

  @Test
  void helpIsPlainTextInAPipe() throws Exception {
    Outcome help = syncguard.run("--help");
    assertThat(help.code()).isZero();
    assertThat(help.text()).contains("Usage: syncguard", "Exit code:").doesNotContain(ESCAPE);
    assertThat(help.errors()).isEmpty();
  }

  @Test
  void withoutACommandItSaysWhichThereAre() throws Exception {
    Outcome nothing = syncguard.run();
    assertThat(nothing.code()).isEqualTo(64);
    assertThat(nothing.errors()).contains("run", "doctor");
    assertThat(nothing.output()).isEmpty();
  }

  @Test
  void anEmptySealingKeyIsNone() throws Exception {
    Syncguard withEmptyKey = new Syncguard(home, Map.of("SYNCGUARD_SEALING_KEY", ""));
    String id = withEmptyKey.runWithInput("word", "secret", "put").text();
    Outcome viewed = withEmptyKey.run("secret", "view", id);
    assertThat(viewed.text()).as("%s", viewed).isEqualTo("word");
  }

  @Test
  void aSealingKeyMayComeFromTheEnvironment() throws Exception {
    String[] put = syncguard.runWithInput("word", "secret", "put", "--seal").words();
    Syncguard withKey = new Syncguard(home, Map.of("SYNCGUARD_SEALING_KEY", put[1]));
    Outcome viewed = withKey.run("secret", "view", put[0]);
    assertThat(viewed.text()).as("%s", viewed).isEqualTo("word");
  }

  @Test
  void aMistakeIsToldInOneLine() throws Exception {
    Outcome mistake = syncguard.run("run", "k", "--wait", "soon", "--", "true");
    assertThat(mistake.code()).isEqualTo(64);
    assertThat(mistake.errors().lines()).hasSize(1).first().asString().contains("500ms, 30s");
  }

  @Test
  void aKeyWithALinesEndIsShownWholeAndEscaped() throws Exception {
    String key = "p\nq";
    assertThat(syncguard.run("lock", "try", key).code()).isZero();
    assertThat(syncguard.run("lock", "try", key).errors())
        .isEqualTo("syncguard: 'p\\u000aq' is busy\n");
    assertThat(syncguard.run("lock", "show", key).text()).startsWith("key       p\\u000aq");
  }

  @Test
  void wordsThatAreNotUtf8AreRefused() throws Exception {
    Outcome refused = syncguard.run("lock", "try", "k", "--store", "redis://:hunter2\uFFFD@host");
    assertThat(refused.code()).isEqualTo(64);
    assertThat(refused.errors()).contains("Argument 5").doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ls --watch 0", "bench --time 0", "bench --threads 100000", "lock try k --ttl 5"})
  void valuesThatCannotBeAreRefused(String line) throws Exception {
    Outcome refused = syncguard.run(line.split(" "));
    assertThat(refused.code()).as("%s", refused).isEqualTo(64);
    assertThat(refused.errors().lines()).hasSize(1);
  }

  @Test
  void aMistakeIsToldAsJsonIfThatIsWanted() throws Exception {
    Outcome mistake = syncguard.run("lock", "acquire", "k", "--ttl", "x", "--json");
    assertThat(mistake.code()).isEqualTo(64);
    assertThat(Outcome.parse(mistake.errors()).get("code").asText()).isEqualTo("USAGE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"setup", "lock show k"})
  void anErrorOfTheJvmIsToldInOneLine(String command) throws Exception {
    Path notAClass = home.resolve("com/zaxxer/hikari/HikariConfig.class");
    Files.createDirectories(notAClass.getParent());
    Files.createFile(notAClass);
    Path jar = Syncguard.COMMAND.resolveSibling("../lib/syncguard.jar");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> program = List.of(java, "-cp", home + ":" + jar, "io.syncguard.cli.Main");
    Syncguard broken =
        new Syncguard(home, Map.of("SYNCGUARD_URI", "postgresql://u:p@127.0.0.1:1/d"));
    try (RunningCommand running = broken.start(program, command.split(" ", -1))) {
      Outcome ended = running.end();
      assertThat(ended.code()).as("%s", ended).isEqualTo(70);
      assertThat(ended.errors().lines()).hasSize(1).first().asString().contains("Error");
    }
  }

  @Test
  void anEmptyVariableNamesNoStore() throws Exception {
    Syncguard other = new Syncguard(home, Map.of("SYNCGUARD_URI", ""));
    assertThat(other.run("run", "k", "--", "true").code()).isZero();
    assertThat(home.resolve(".syncguard/syncguard.db")).exists();
  }

  @Test
  void aStoreOfTheEnvironmentIsTakenAsItIs() throws Exception {
    Path file = home.resolve("${sys:user.name}$HOME.db");
    Syncguard other = new Syncguard(home, Map.of("SYNCGUARD_URI", "sqlite:" + file));
    assertThat(other.run("run", "k", "--", "true").code()).isZero();
    assertThat(file).exists();
  }

  @Test
  void anUnreachableStoreIsToldInOneLineUnlessMoreIsWanted() throws Exception {
    Outcome brief = syncguard.run("lock", "show", "k", "--store", "redis://127.0.0.1:1", "--json");
    assertThat(brief.code()).isEqualTo(69);
    assertThat(brief.errors().lines()).hasSize(1);
    assertThat(Outcome.parse(brief.errors()).get("code").asText()).isEqualTo("SERVICE_UNAVAILABLE");

    Outcome verbose = syncguard.run("lock", "show", "k", "--store", "redis://127.0.0.1:1", "-v");
    assertThat(verbose.code()).isEqualTo(69);
    assertThat(verbose.errors()).contains("at io.syncguard.");
  }

  @Test
  void theDoctorFailsAnUnreachableStore() throws Exception {
    Outcome examined = syncguard.run("doctor", "--store", "redis://127.0.0.1:1");
    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.text()).contains("failure", "connection", "->");
  }

  @Test
  void aCommandThatCannotBeStartedFreesTheLock() throws Exception {
    assertThat(syncguard.run("run", "k", "--every", "1h", "--", "no-such-command").code())
        .isEqualTo(127);
    Path notExecutable = Files.createFile(home.resolve("data"));
    Outcome refused = syncguard.run("run", "k", "--", notExecutable.toString());
    assertThat(refused.code()).isEqualTo(126);
    assertThat(refused.errors().lines()).hasSize(1);
  }

  @Test
  void aSignalEndsTheWait() throws Exception {
    try (RunningCommand holder =
            syncguard
                .start("run", "k", "--", "sh", "-c", "echo held; read line; true")
                .untilItPrints("held");
        RunningCommand waiter = syncguard.start("run", "k", "--", "echo", "no")) {
      assertThat(syncguard.run("run", "k", "--wait", "0", "-q", "--", "true"))
          .matches(busy -> busy.code() == 75 && busy.errors().isEmpty());
      waiter.process().destroy();
      Outcome ended = waiter.end();
      assertThat(ended.code()).isEqualTo(143);
      assertThat(ended.output()).isEmpty();
      assertThat(holder.end().code()).isZero();
    }
  }

  @Test
  void thereIsColourOnATerminalUnlessItIsRefused() throws Exception {
    try (RunningCommand coloured = syncguard.startOnTerminal("12", "doctor")) {
      assertThat(coloured.end().text()).contains(ESCAPE + "32mok");
    }
    Syncguard plain = new Syncguard(home, Map.of("NO_COLOR", "1"));
    try (RunningCommand refused = plain.startOnTerminal("12", "doctor")) {
      assertThat(refused.end().text()).contains("ok").doesNotContain(ESCAPE);
    }
  }

  @Test
  void aForcedReleaseAsksAtATerminal() throws Exception {
    syncguard.run("lock", "acquire", "k", "--ttl", "10m");
    assertThat(answer("n\n").errors()).contains("Take it away", "left as it is");
    assertThat(answer("y\n").text()).isEqualTo("released");
  }

  private Outcome answer(String answer) throws Exception {
    try (RunningCommand running = syncguard.startOnTerminal("0", "release", "--force", "k")) {
      running.type(answer);
      return running.end();
    }
  }

  @Test
  void aSealedSecretNeedsItsKey() throws Exception {
    String[] sealed = syncguard.runWithInput("x", "secret", "put", "--seal").words();
    Syncguard other = new Syncguard(home, Map.of("SYNCGUARD_SEALING_KEY", sealed[1]));
    assertThat(other.run("secret", "view", sealed[0]).text()).isEqualTo("x");
  }

  @Test
  void theBenchShowsItsProgressOnATerminal() throws Exception {
    try (RunningCommand bench = syncguard.startOnTerminal("2", "bench", "--time", "300ms")) {
      Outcome measured = bench.end();
      assertThat(measured.code()).as("%s", measured).isZero();
      assertThat(measured.errors()).contains("measuring");
      assertThat(measured.text()).contains("cycles of acquire and release per second");
    }
  }

  @Test
  void completionKnowsEveryCommand() throws Exception {
    Outcome completion = syncguard.run("completion");
    assertThat(completion.text()).contains("semaphore", "--min-hold", "complete -F");
    Path script = Files.write(home.resolve("completion.sh"), completion.output());
    Process check = new ProcessBuilder("bash", "-n", script.toString()).start();
    assertThat(check.waitFor()).isZero();
  }
}
