package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.cli.command.CommandFactory;
import io.syncguard.cli.command.SyncguardCommand;
import io.syncguard.cli.output.Durations;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.lock.LockId;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** Where the command begins and ends. */
final class Main {

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  /** Java puts this sign for every byte that is no UTF-8. */
  private static final char NO_TEXT = '\uFFFD';

  /** An id is base64url, so that one in 64 begins with a hyphen. */
  private static final Set<String> TAKING_IDS = Set.of("lock", "secret");

  private Main() {}

  /** Runs a command line and ends the process with its code. */
  public static void main(String[] args) {
    System.exit(execute(args));
  }

  static int execute(String... args) {
    SyncguardCommand command = new SyncguardCommand();
    try {
      refuseWhatIsNoText(args);
      int code = commandLine(command, args).execute(idsLast(args));
      if (code == Exit.OK) {
        command.terminal().out().check();
      }
      return code;
    } catch (RuntimeException | Error e) {
      return new Errors(command).handle(e);
    }
  }

  /**
   * Two keys that are no UTF-8 would be one lock, and CMD would get other words than were written.
   */
  private static void refuseWhatIsNoText(String... args) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].indexOf(NO_TEXT) >= 0) {
        // Not the argument itself: it may be a URI with a password.
        throw Failure.usage("Argument " + (i + 1) + " is not UTF-8, or has U+FFFD in it");
      }
    }
  }

  /** Returns what can execute such arguments, and need not know of other commands. */
  static CommandLine commandLine(SyncguardCommand command, String... args) {
    Errors errors = new Errors(command);
    CommandLine commandLine = new CommandLine(command, new CommandFactory(command));
    Commands.addTo(commandLine, args);
    Overview.describe(commandLine.getCommandSpec().usageMessage());
    commandLine
        .setOut(new PrintWriter(command.terminal().out(), true, UTF_8))
        .setErr(new PrintWriter(command.terminal().err(), true, UTF_8))
        .setColorScheme(
            Help.defaultColorScheme(command.terminal().hasColour() ? Ansi.ON : Ansi.OFF))
        .registerConverter(Duration.class, new Durations())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .setExecutionStrategy(parsed -> run(command, parsed))
        .setExpandAtFiles(false);
    // A key may begin as an option does. Others are rather forgotten than begin with a hyphen.
    @Nullable CommandLine secret = commandLine.getSubcommands().get("secret");
    if (secret != null) {
      secret.setAllowOptionsAsOptionParameters(true);
    }
    return commandLine;
  }

  /** Libraries are silent unless their words are wanted, which is said before any of them logs. */
  private static int run(SyncguardCommand command, ParseResult parsed) {
    System.setProperty(LOG_LEVEL, command.verbose() ? "info" : "off");
    return new RunLast().execute(parsed);
  }

  /** Moves ids that begin as an option does to where options have ended. */
  static String[] idsLast(String... args) {
    List<String> given = Arrays.asList(args);
    if (!TAKING_IDS.contains(subcommand(given)) || given.contains("--")) {
      return args;
    }
    List<String> ids =
        given.stream().filter(arg -> arg.startsWith("-") && LockId.isValid(arg)).toList();
    if (ids.isEmpty()) {
      return args;
    }
    List<String> words = new ArrayList<>(given);
    words.removeAll(ids);
    words.add("--");
    words.addAll(ids);
    return words.toArray(String[]::new);
  }

  /** Other words may be the same as a subcommand's name, above all in what 'run' is to run. */
  private static String subcommand(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      if (word.equals(SyncguardCommand.STORE)) {
        i++;
      } else if (!word.startsWith("-")) {
        return word;
      }
    }
    return "";
  }
}
