package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
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

  @Test
  void whatFollowsTheHyphensIsTheCommands() {
    String[] args = {"run", "k", "--", "-aaaaaaaaaaaaaaaaaaaaa", "-v"};
    assertThat(Main.idsLast(args)).isEqualTo(args);
    assertThat(parsed(args).hasMatchedOption("-v")).isFalse();
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
