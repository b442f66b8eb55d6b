package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.cli.process.Programs;
import io.syncguard.testkit.server.RedisServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code run} does with signals, and what it leaves behind. */
class RunSignalsTest {

  /** Says which signals it gets, until the file is there that its first word names. */
  private static final String LISTENER =
      "trap 'echo got-INT' INT; trap 'echo got-TERM' TERM; trap 'echo got-USR1' USR1;"
          + " trap 'echo got-HUP' HUP; echo ready $$;"
          + " while [ ! -e \"$0\" ]; do sleep 0.05; done";

  /** Without a terminal and in its own group, as a service manager or timeout starts it. */
  private static final List<String> IN_OWN_SESSION =
      List.of("setsid", Syncguard.COMMAND.toString());

  private Syncguard syncguard;
  private Path end;

  @BeforeEach
  void open(@TempDir Path home) {
    syncguard = Syncguard.on("sqlite:" + home.resolve("test.db"), home);
    end = home.resolve("end");
  }

  @Test
  void aSignalToTheGroupReachesTheCommandOnce() throws Exception {
    try (RunningCommand run =
        syncguard
            .start(IN_OWN_SESSION, "run", "k", "--", "sh", "-c", LISTENER, end.toString())
            .untilItPrints("ready")) {
      kill("TERM", "-" + run.process().pid());
      run.untilItPrints("got-TERM");
      awaitPassingOn(run, Long.toString(run.process().pid()));
      Files.createFile(end);
      assertThat(run.end().text().lines().filter("got-TERM"::equals)).hasSize(1);
    }
  }

  /** As systemd does: setsid does not leave the control group. */
  @Test
  void aSignalToEachProcessOfAServiceReachesTheCommandOnce() throws Exception {
    try (RunningCommand run =
        syncguard
            .start(IN_OWN_SESSION, "run", "k", "--", "sh", "-c", LISTENER, end.toString())
            .untilItPrints("ready")) {
      List<ProcessHandle> all =
          Stream.concat(Stream.of(run.process().toHandle()), run.process().descendants()).toList();
      all.forEach(ProcessHandle::destroy);
      run.untilItPrints("got-TERM");
      awaitPassingOn(run, Long.toString(run.process().pid()));
      Files.createFile(end);
      assertThat(run.end().text().lines().filter("got-TERM"::equals)).hasSize(1);
    }
  }

  @Test
  void anInterruptFromTheTerminalReachesTheCommandOnce() throws Exception {
    assumeTrue(RunningCommand.areInterruptible(), "started by a shell in the background");
    try (RunningCommand run = listenOnATerminal("")) {
      run.type("\u0003");
      run.untilItPrints("got-INT");
      awaitPassingOn(run, Long.toString(descendants(run, "java").get(0).pid()));
      assertThat(interrupts(run)).isEqualTo(1);
      Files.createFile(end);
      assertThat(run.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void onATerminalAnInterruptFromElsewhereReachesTheCommandOnce() throws Exception {
    assumeTrue(RunningCommand.areInterruptible(), "started by a shell in the background");
    try (RunningCommand run = listenOnATerminal("")) {
      String command = Long.toString(descendants(run, "java").get(0).pid());
      kill("INT", command);
      run.untilItPrints("got-INT");
      awaitPassingOn(run, command);
      assertThat(interrupts(run)).isEqualTo(1);
      Files.createFile(end);
      assertThat(run.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** The signal is the first act of CMD: its parent may not know yet that it has started CMD. */
  @Test
  void aSignalToTheGroupReachesACommandThatIsBeingStartedOnce() throws Exception {
    assumeTrue(RunningCommand.areInterruptible(), "started by a shell in the background");
    String script = LISTENER.replace("echo ready", "kill -s INT 0; echo ready");
    try (RunningCommand run = listenOnATerminal("", script)) {
      run.untilItPrints("got-INT");
      awaitPassingOn(run, Long.toString(descendants(run, "java").get(0).pid()));
      assertThat(interrupts(run)).isEqualTo(1);
      Files.createFile(end);
      assertThat(run.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aSignalToTheGroupReachesTheCommandOnceWhileAnotherSignalIsPassedOn() throws Exception {
    assumeTrue(RunningCommand.areInterruptible(), "started by a shell in the background");
    try (RunningCommand run = listenOnATerminal("")) {
      String command = Long.toString(descendants(run, "java").get(0).pid());
      kill("HUP", command);
      run.type("\u0003");
      run.untilItPrints("got-INT");
      awaitPassingOn(run, command);
      assertThat(interrupts(run)).isEqualTo(1);
      Files.createFile(end);
      assertThat(run.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void onATerminalASignalIsPassedOnThoughTheWitnessWasKilledBefore() throws Exception {
    try (RunningCommand run = listenOnATerminal("")) {
      ProcessHandle command = descendants(run, "java").get(0);
      List<ProcessHandle> witnesses = descendants(run, "cat");
      assertThat(witnesses).isNotEmpty();
      witnesses.forEach(ProcessHandle::destroyForcibly);
      run.until(() -> witnesses.stream().noneMatch(ProcessHandle::isAlive));
      kill("TERM", Long.toString(command.pid()));
      run.untilItPrints("got-TERM");
      Files.createFile(end);
      assertThat(run.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void onATerminalACommandInAnotherGroupGetsInterruptsToo() throws Exception {
    assumeTrue(RunningCommand.areInterruptible(), "started by a shell in the background");
    assumeTrue(Files.isDirectory(Path.of("/proc")) && Programs.exists("timeout"));
    try (RunningCommand run = listenOnATerminal("timeout 60 ")) {
      run.type("\u0003");
      run.untilItPrints("got-INT");
      Files.createFile(end);
      assertThat(run.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private RunningCommand listenOnATerminal(String prefix) throws Exception {
    return listenOnATerminal(prefix, LISTENER);
  }

  /** Runs a script that says which signals it gets, until it is ready; the prefix starts it. */
  private RunningCommand listenOnATerminal(String prefix, String script) throws Exception {
    assumeTrue(Programs.exists("script"), "a terminal to play with");
    String listener = "sh -c '" + script.replace("'", "'\\''") + "' " + end;
    String line = Syncguard.COMMAND + " run k -- " + prefix + listener;
    return syncguard.start(List.of("script", "-qefc", line, "/dev/null")).untilItPrints("ready");
  }

  private static List<ProcessHandle> descendants(RunningCommand run, String program) {
    return run.process()
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/" + program))
        .toList();
  }

  private static long interrupts(RunningCommand run) throws Exception {
    return run.outputSoFar().lines().filter(line -> line.endsWith("got-INT")).count();
  }

  @Test
  void aLossEndsAlsoWhatTheCommandStartedAndLeft() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc")));
    String parent = "sh -c 'sleep 600 & echo orphan $!'; echo ready; while :; do sleep 0.1; done";
    String[] words = {"run", "k", "--lease", "3s", "--grace", "1s", "--", "sh", "-c", parent};
    try (RunningCommand run = syncguard.start(IN_OWN_SESSION, words).untilItPrints("ready")) {
      long orphan = pidAfter("orphan ", run);
      assertThat(ProcessHandle.of(orphan)).isPresent();
      assertThat(syncguard.run("release", "--force", "--yes", "k").code()).isZero();
      assertThat(run.end().code()).isEqualTo(76);
      // Until the system's first process has taken note of its end.
      run.until(() -> !isAlive(orphan));
    }
  }

  @Test
  void aSignalDoesNotCutShortWhatALossEnds() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc")));
    String deaf = "sh -c 'trap \"\" TERM; echo deaf $$; while :; do sleep 0.1; done' &";
    String parent = deaf + " echo command $$; while :; do sleep 0.1; done";
    // The grace is longer than a release has after a signal.
    String[] words = {"run", "k", "--lease", "3s", "--grace", "4s", "--", "sh", "-c", parent};
    try (RunningCommand run =
        syncguard.start(IN_OWN_SESSION, words).untilItPrints("deaf ").untilItPrints("command ")) {
      long command = pidAfter("command ", run);
      long deafOne = pidAfter("deaf ", run);
      assertThat(syncguard.run("release", "--force", "--yes", "k").code()).isZero();
      run.until(() -> !isAlive(command));
      run.process().destroy();
      Outcome lost = run.end();
      assertThat(lost.code()).as("%s", lost).isEqualTo(76);
      run.until(() -> !isAlive(deafOne));
    }
  }

  private static long pidAfter(String word, RunningCommand run) throws Exception {
    return run.outputSoFar()
        .lines()
        .filter(line -> line.startsWith(word))
        .mapToLong(line -> Long.parseLong(line.substring(word.length())))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  @Test
  void aLossEndsAScriptBeforeItsNextStep() throws Exception {
    String script = "echo ready; sleep 600; echo went-on; sleep 600";
    try (RunningCommand run =
        syncguard
            .start("run", "k", "--lease", "3s", "--grace", "1s", "--", "sh", "-c", script)
            .untilItPrints("ready")) {
      assertThat(syncguard.run("release", "--force", "--yes", "k").code()).isZero();
      assertThat(run.end().text()).isEqualTo("ready");
    }
  }

  @Test
  void anInterruptThatEndsTheCommandLeavesNoLock() throws Exception {
    String script = "echo ready; while :; do sleep 0.1; done";
    try (RunningCommand run =
        syncguard
            .start(IN_OWN_SESSION, "run", "k", "--", "sh", "-c", script)
            .untilItPrints("ready")) {
      ProcessHandle command = run.process().toHandle();
      command.descendants().filter(RunSignalsTest::isShell).forEach(ProcessHandle::destroy);
      // It may have ended by then, with CMD, in which case there is nothing left to signal.
      run.process().destroy();
      assertThat(run.end().code()).isEqualTo(143);
      assertThat(syncguard.run("lock", "show", "k").code()).isEqualTo(1);
    }
  }

  @Test
  void wordsAreTheSameWhateverTheLocale(@TempDir Path home) throws Exception {
    Syncguard plain =
        new Syncguard(
            home, Map.of("SYNCGUARD_URI", "sqlite:" + home.resolve("test.db"), "LC_ALL", "C"));
    String show = "printf '%s %s' \"$0\" \"$LC_ALL\"";
    assertThat(plain.run("run", "ключ", "--", "sh", "-c", show, "ünï").text()).isEqualTo("ünï C");
  }

  @Test
  void timesThatCannotBeAreRefusedBeforeAnythingIsLocked() throws Exception {
    for (String option : List.of("--max-hold", "--lease", "--every", "--grace")) {
      Outcome refused = syncguard.run("run", "k", option, "200000d", "--", "true");
      assertThat(refused.code()).as("%s %s", option, refused).isEqualTo(64);
      assertThat(refused.errors()).contains(option);
    }
    assertThat(syncguard.run("lock", "show", "k").code()).isEqualTo(1);
  }

  @Test
  void aSlotHidesTheFenceOfAnOuterLock(@TempDir Path home) throws Exception {
    Syncguard inner =
        new Syncguard(
            home,
            Map.of(
                "SYNCGUARD_URI",
                "sqlite:" + home.resolve("test.db"),
                "SYNCGUARD_FENCE",
                "000000000000007",
                "SYNCGUARD_LOCK_ID",
                "aaaaaaaaaaaaaaaaaaaaaa"));
    String show = "echo [$SYNCGUARD_FENCE$SYNCGUARD_LOCK_ID]";
    assertThat(inner.run("run", "s", "--semaphore", "2", "--", "sh", "-c", show).text())
        .isEqualTo("[]");
  }

  @Test
  void aSignalEndsAReleaseThatTheStoreDoesNotAnswer(@TempDir Path home) throws Exception {
    String last = "echo ready; while [ ! -e \"$0\" ]; do sleep 0.05; done; exit 3";
    try (RedisServer server = RedisServer.start();
        RunningCommand run =
            Syncguard.on(server.uri(), home)
                .start("run", "k", "--", "sh", "-c", last, end.toString())
                .untilItPrints("ready")) {
      server.pause();
      Files.createFile(end);
      run.until(() -> run.process().descendants().noneMatch(RunSignalsTest::isShell));
      run.process().destroy();
      Outcome ended = run.end();
      assertThat(ended.code()).as("%s", ended).isEqualTo(3);
      assertThat(ended.errors()).contains("ended by a signal");
    }
  }

  /** It takes a moment to find out whether the group got a signal, too. */
  @Test
  void aSignalThatFindsTheCommandDeadEndsTheReleaseAsALaterOneDoes(@TempDir Path home)
      throws Exception {
    String script = "echo command $$; while :; do sleep 0.05; done";
    try (RedisServer server = RedisServer.start();
        RunningCommand run =
            Syncguard.on(server.uri(), home)
                .start(IN_OWN_SESSION, "run", "k", "--", "sh", "-c", script)
                .untilItPrints("command ")) {
      long command = pidAfter("command ", run);
      server.pause();
      run.process().destroy();
      ProcessHandle.of(command).ifPresent(ProcessHandle::destroyForcibly);
      Outcome ended = run.end();
      assertThat(ended.code()).as("%s", ended).isEqualTo(137);
      assertThat(ended.errors()).contains("ended by a signal");
    }
  }

  @Test
  void aSignalEndsACommandWhoseStoreDoesNotAnswerAtFirst(@TempDir Path home) throws Exception {
    try (ServerSocket hung = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        RunningCommand run =
            Syncguard.on("redis://127.0.0.1:" + hung.getLocalPort(), home)
                .start(IN_OWN_SESSION, "run", "k", "--", "true");
        Socket connected = hung.accept()) {
      run.process().destroy();
      Outcome ended = run.end();
      assertThat(ended.code()).as("%s", ended).isEqualTo(143);
    }
  }

  @Test
  void aScriptWhoseInterpreterIsMissingFreesTheLock(@TempDir Path home) throws Exception {
    Path script = Files.writeString(home.resolve("job"), "#!/no/such/interpreter -x\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    String[] words = {"run", "k", "--every", "1h", "--", script.toString()};
    try (RunningCommand run = syncguard.start(IN_OWN_SESSION, words)) {
      Outcome refused = run.end();
      assertThat(refused.code()).as("%s", refused).isEqualTo(127);
      assertThat(refused.errors()).startsWith("syncguard: /no/such/interpreter");
    }
    assertThat(syncguard.run("lock", "show", "k").code()).isEqualTo(1);
  }

  private static boolean isShell(ProcessHandle process) {
    return process.info().command().orElse("").matches(".*/(sh|dash|bash)");
  }

  /**
   * Blocks until a signal to the command alone has been passed on. A signal that comes right after
   * another counts as sent along with it, so it may take more than one.
   */
  private static void awaitPassingOn(RunningCommand run, String command) throws Exception {
    run.until(
        () -> {
          kill("USR1", command);
          return run.outputSoFar().contains("got-USR1");
        });
  }

  private static void kill(String signal, String target) throws Exception {
    Process kill = new ProcessBuilder("sh", "-c", "kill -s " + signal + " -- " + target).start();
    assertThat(kill.waitFor()).as(new String(kill.getErrorStream().readAllBytes(), UTF_8)).isZero();
  }
}
