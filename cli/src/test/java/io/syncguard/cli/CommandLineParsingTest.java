package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.cli.command.SyncguardCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

class CommandLineParsingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "aaaaaaaaaaaaaaaaaaaaaa",
        "-aaaaaaaaaaaaaaaaaaaaa",
        "-vaaaaaaaaaaaaaaaaaaaa",
        "--aaaaaaaaaaaaaaaaaaaa",
        "-hVaaaaaaaaaaaaaaaaaaa"
      })
  void anIdMayBeginAsAnOptionDoes(String id) {
    assertThat(positional("lock", "release", id)).isEqualTo(id);
    assertThat(positional("lock", "extend", id, "--ttl", "1m")).isEqualTo(id);
    assertThat(positional("secret", "view", "--json", id)).isEqualTo(id);
    assertThat(positional("secret", "peek", id, "-v")).isEqualTo(id);
    assertThat(positional("secret", "burn", "--", id)).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-key", "-vkey", "--key"})
  void aKeyMayBeginAsAnOptionDoes(String key) {
    ParseResult view = parsed("secret", "view", "id", "--key", key);
    assertThat(view.<String>matchedOptionValue("--key", "")).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@FILE", "@@FILE", "\"quoted\"", "'quoted'", "${sys:user.home}", "%n", ""})
  void anArgumentIsTakenAsItIs(String argument, @TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "--ttl 1h other words");
    String word = argument.replace("FILE", file.toString());
    assertThat(positional("lock", "acquire", word)).isEqualTo(word);
    assertThat(parsed("run", "k", "--", "cmd", word, "--", "-v").originalArgs())
        .containsExactly("run", "k", "--", "cmd", word, "--", "-v");
    assertThat(commandOf(parsed("run", "k", "--", "cmd", word, "--", "-v")))
        .containsExactly("cmd", word, "--", "-v");
    assertThat(
            parsed("lock", "show", "k", "--store", word)
                .<String>matchedOptionValue("--store", "none"))
        .isEqualTo(word);
  }

  @Test
  void watchingNeedsNoTime() {
    Duration second = Duration.ofSeconds(1);
    assertThat(watch("ls", "--watch")).isEqualTo(second);
    assertThat(watch("ls", "--watch", "--raw")).isEqualTo(second);
    assertThat(watch("ls", "--watch", "--json")).isEqualTo(second);
    assertThat(watch("ls", "--watch", "-v")).isEqualTo(second);
    assertThat(watch("ls", "--watch", "2s", "--raw")).isEqualTo(Duration.ofSeconds(2));
    assertThat(watch("ls", "--watch=2s", "--raw")).isEqualTo(Duration.ofSeconds(2));
  }

  private static Duration watch(String... args) {
    return parsed(args).matchedOptionValue("--watch", Duration.ZERO);
  }

  @Test
  void whatFollowsTheHyphensIsTheCommands() {
    String[] args = {"run", "k", "--", "-aaaaaaaaaaaaaaaaaaaaa", "-v"};
    assertThat(Main.idsLast(args)).isEqualTo(args);
    assertThat(parsed(args).hasMatchedOption("-v")).isFalse();
  }

  @Test
  void whatFollowsTheCommandsNameIsTheCommandsToo() {
    ParseResult run = parsed("run", "k", "--wait", "0", "curl", "-q", "-v", "--wait", "1h", "--");
    assertThat(commandOf(run)).containsExactly("curl", "-q", "-v", "--wait", "1h", "--");
    assertThat(run.hasMatchedOption("-q")).isFalse();
    assertThat(run.matchedOptionValue("--wait", Duration.ofDays(1))).isEqualTo(Duration.ZERO);
  }

  @Test
  void onlyTheSubcommandDecidesWhatIsAnId() {
    String like = "--insecure-skip-verify";
    String[] args = {"run", "deploy", "vault", "secret", like, "x"};
    assertThat(commandOf(parsed(args))).containsExactly("vault", "secret", like, "x");
    String[] later = {"--store", "memory:", "--json", "run", "k", "cmd", like};
    assertThat(commandOf(parsed(later))).containsExactly("cmd", like);
    String id = "-vaaaaaaaaaaaaaaaaaaaa";
    assertThat(positional("--store", "memory:", "-v", "lock", "release", id)).isEqualTo(id);
    assertThat(positional("--store=memory:", "secret", "peek", id)).isEqualTo(id);
  }

  private static List<String> commandOf(ParseResult run) {
    return run.commandSpec().positionalParameters().get(1).getValue();
  }

  private static String positional(String... args) {
    return parsed(args).matchedPositionalValue(0, "");
  }

  private static ParseResult parsed(String... args) {
    ParseResult result =
        Main.commandLine(new SyncguardCommand(), args).parseArgs(Main.idsLast(args));
    while (result.hasSubcommand()) {
      result = result.subcommand();
    }
    return result;
  }
}
