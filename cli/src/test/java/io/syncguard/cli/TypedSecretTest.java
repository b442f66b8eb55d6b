package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.SyncGuard;
import io.syncguard.secret.SecretId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person types at a terminal, which util-linux's script makes. */
class TypedSecretTest {

  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";
  private static final Pattern PRINTED_ID = Pattern.compile("(?m)^([\\w-]{22})\\R");

  private Syncguard syncguard;
  private String uri;

  @BeforeAll
  static void needATerminal() throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "there is no script");
    Process version = new ProcessBuilder(SCRIPT.toString(), "--version").start();
    assumeTrue(
        new String(version.getInputStream().readAllBytes(), UTF_8).contains("util-linux"),
        "there is another script");
  }

  @BeforeEach
  void onAnEmptyStore(@TempDir Path home) {
    uri = "sqlite:" + home.resolve("secrets.db");
    syncguard = Syncguard.on(uri, home);
  }

  private RunningCommand atATerminal(String command) throws IOException {
    return syncguard.start(List.of(SCRIPT.toString(), "-qec", command, "/dev/null"));
  }

  @Test
  void whatIsTypedIsNotShownAndTakenWithoutTheLastLinesEnd() throws Exception {
    try (RunningCommand put = atATerminal(Syncguard.COMMAND + " secret put; stty -a")) {
      put.untilItPrints("Ctrl-D").type("first line\nhunter2\n" + CTRL_D);
      put.untilItPrints(" echo ");
      Outcome ended = put.end();
      assertThat(ended.text()).doesNotContain("hunter2", "first line");
      Matcher id = PRINTED_ID.matcher(ended.text());
      assertThat(id.find()).as("%s", ended).isTrue();
      assertThat(stored(id.group(1))).isEqualTo("first line\nhunter2");
    }
  }

  @Test
  void anInterruptStoresNothingAndTheTerminalShowsAgainWhatIsTyped() throws Exception {
    assumeTrue(RunningCommand.areInterruptible(), "started by a shell in the background");
    String command = "trap : INT; " + Syncguard.COMMAND + " secret put; echo ended $?; stty -a";
    try (RunningCommand put = atATerminal(command)) {
      put.untilItPrints("Ctrl-D").type("hunter2" + CTRL_C);
      put.untilItPrints("ended 130").untilItPrints(" echo ");
      assertThat(put.end().text()).doesNotContain("hunter2", "-echo ");
    }
  }

  @Test
  void nothingTypedIsNothingStored() throws Exception {
    try (RunningCommand put = atATerminal(Syncguard.COMMAND + " secret put")) {
      put.untilItPrints("Ctrl-D").type(CTRL_D);
      Outcome ended = put.end();
      assertThat(ended.code()).as("%s", ended).isEqualTo(64);
      assertThat(ended.text()).contains("nothing was typed");
    }
  }

  private String stored(String id) {
    try (SyncGuard guard = SyncGuard.open(uri)) {
      return new String(guard.secrets().view(SecretId.of(id)).orElseThrow().value(), UTF_8);
    }
  }
}
