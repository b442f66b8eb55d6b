package io.syncguard.cli;

import io.syncguard.SyncGuardException;
import io.syncguard.cli.command.SyncguardCommand;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.cli.output.Terminal;
import io.syncguard.secret.WrongKeyException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells what went wrong in one line; with {@code --verbose}, in full. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  private final SyncguardCommand command;

  Errors(SyncguardCommand command) {
    this.command = command;
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    String name = failure.getCommandLine().getCommandSpec().qualifiedName();
    boolean json = command.json() || Flags.isGiven(args, "--json");
    tell("USAGE", failure.getMessage() + "; see " + name + " --help", json, failure);
    return Exit.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parsed) {
    return handle(
        failure instanceof ExecutionException && failure.getCause() instanceof Error error
            ? error
            : failure);
  }

  /** Tells what went wrong, and returns the exit code for it. */
  int handle(Throwable failure) {
    if (failure instanceof Failure expected) {
      if (!expected.isQuiet()) {
        tell(expected.kind(), expected.getMessage(), failure);
      }
      return expected.exitCode();
    }
    if (failure instanceof SyncGuardException known) {
      tell(known.code().name(), known.getMessage(), failure);
      return Exit.of(known);
    }
    if (failure instanceof WrongKeyException) {
      tell("WRONG_KEY", failure.getMessage(), failure);
      return Exit.WRONG_KEY;
    }
    tell("INTERNAL", failure + "; --verbose tells more", failure);
    return Exit.INTERNAL;
  }

  private void tell(String code, @Nullable String message, Throwable failure) {
    tell(code, message, command.json(), failure);
  }

  /** Without the lines that libraries add. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private void tell(String code, @Nullable String message, boolean json, Throwable failure) {
    PrintStream err = command.terminal().err();
    String line = Terminal.printable(firstLine(String.valueOf(message)));
    if (json) {
      err.println(Json.of(Json.object("error", line, "code", code)));
    } else {
      err.println("syncguard: " + line);
    }
    if (command.verbose() && !(failure instanceof Failure)) {
      failure.printStackTrace(err);
    }
  }
}
