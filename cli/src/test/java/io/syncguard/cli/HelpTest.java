package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.cli.command.SyncguardCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class HelpTest {

  private static final List<String> HIDDEN = List.of("warm-up");

  @Test
  void everyCommandSaysWhatItDoesAndWhatItTakes() {
    all(Main.commandLine(new SyncguardCommand()))
        .filter(command -> !HIDDEN.contains(command.getCommandName()))
        .forEach(
            command -> {
              String usage = command.getUsageMessage(Ansi.OFF);
              assertThat(command.getCommandSpec().usageMessage().header())
                  .as(command.getCommandName())
                  .isNotEmpty();
              assertThat(usage).contains("Usage: syncguard", "--store", "--json", "--help");
              assertThat(usage.contains("Environment:")).isEqualTo(command.getParent() == null);
              assertThat(usage).doesNotContain("null", "%n").doesNotContain("${");
            });
  }

  @Test
  void linesAreShortEnoughForATerminal() {
    all(Main.commandLine(new SyncguardCommand()))
        .flatMap(command -> command.getUsageMessage(Ansi.OFF).lines())
        .forEach(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100));
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::all));
  }
}
