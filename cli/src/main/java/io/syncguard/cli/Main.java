package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.lock.LockId;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** Where the command begins and ends. */
final class Main {

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  /** An id is base64url, so that one in 64 begins with a hyphen. */
  private static final Set<String> TAKING_IDS = Set.of("lock", "secret");

  private Main() {}

  /** Runs a command line and ends the process with its code. */
  public static void main(String[] args) {
    // Before anything logs: libraries are silent unless somebody wants to hear them.
    System.setProperty(LOG_LEVEL, isVerbose(args) ? "info" : "off");
    System.exit(execute(args));
  }

  private static boolean isVerbose(String[] args) {
    List<String> ours = Arrays.asList(args);
    int end = ours.indexOf("--");
    return ours.subList(0, end < 0 ? ours.size() : end).stream()
        .anyMatch(arg -> arg.equals("-v") || arg.equals("--verbose"));
  }

  static int execute(String... args) {
    return commandLine(new SyncguardCommand(), args).execute(idsLast(args));
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
        .setAllowOptionsAsOptionParameters(true);
    return commandLine;
  }

  /** Moves ids that begin as an option does to where options have ended. */
  static String[] idsLast(String... args) {
    List<String> given = Arrays.asList(args);
    if (Collections.disjoint(given, TAKING_IDS) || given.contains("--")) {
      return args;
    }
    List<String> ids =
        given.stream().filter(arg -> arg.startsWith("-") && LockId.isValid(arg)).toList();
    List<String> words = new ArrayList<>(given);
    words.removeAll(ids);
    words.add("--");
    words.addAll(ids);
    return words.toArray(String[]::new);
  }
}
