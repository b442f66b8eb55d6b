package io.syncguard.cli;

import io.syncguard.SyncGuardException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** What goes wrong is told in one line, and in full to whoever asks for it. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  private final SyncguardCommand command;

  Errors(SyncguardCommand command) {
    this.command = command;
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    String name = failure.getCommandLine().getCommandSpec().qualifiedName();
    tell("USAGE", failure.getMessage() + "; see " + name + " --help", failure);
    return Exit.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parsed) {
    if (failure instanceof Failure expected) {
      tell(expected.kind(), expected.getMessage(), failure);
      return expected.exitCode();
    }
    if (failure instanceof SyncGuardException known) {
      tell(known.code().name(), known.getMessage(), failure);
      return Exit.of(known);
    }
    tell("INTERNAL", failure + "; --verbose tells more", failure);
    return Exit.INTERNAL;
  }

  private void tell(String code, @Nullable String message, Exception failure) {
    PrintStream err = command.terminal().err();
    String line = String.valueOf(message).lines().findFirst().orElse("");
    if (command.json()) {
      err.println(Json.of(Json.object("error", line, "code", code)));
    } else {
      err.println("syncguard: " + line);
    }
    if (command.verbose() && !(failure instanceof Failure)) {
      failure.printStackTrace(err);
    }
  }
}
