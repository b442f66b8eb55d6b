package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** Where the command begins and ends. */
final class Main {

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

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
    SyncguardCommand command = new SyncguardCommand();
    Errors errors = new Errors(command);
    return new CommandLine(command, new CommandFactory(command))
        .setOut(new PrintWriter(command.terminal().out(), true, UTF_8))
        .setErr(new PrintWriter(command.terminal().err(), true, UTF_8))
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(
                command.terminal().hasColour()
                    ? CommandLine.Help.Ansi.ON
                    : CommandLine.Help.Ansi.OFF))
        .registerConverter(Duration.class, new Durations())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .execute(args);
  }
}
