package io.syncguard.cli.command;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.cli.output.Terminal;
import io.syncguard.cli.output.WaitNotice;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command itself: what all of its subcommands share. */
@Command(
    name = "syncguard",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    usageHelpAutoWidth = true,
    usageHelpWidth = 100,
    synopsisHeading = "%nUsage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n")
public final class SyncguardCommand implements Callable<Integer> {

  /** The only option before a subcommand that has a value. */
  public static final String STORE = "--store";

  private final Terminal terminal = new Terminal();

  @Option(
      names = STORE,
      paramLabel = "URI",
      scope = ScopeType.INHERIT,
      description = {
        "Which store: sqlite:PATH, redis://HOST:PORT,",
        "postgresql://HOST/DATABASE, or what else the guides name.",
        "Default: $SYNCGUARD_URI, or a SQLite file in ~/.syncguard."
      })
  private @Nullable String uri;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print JSON, one value per line; times are milliseconds.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print the trace of a failure, and what the libraries log.")
  private boolean verbose;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Without a subcommand there is nothing to do but to say which there are. */
  @Override
  public Integer call() {
    spec.commandLine().usage(terminal.err());
    return Exit.USAGE;
  }

  public Terminal terminal() {
    return terminal;
  }

  public boolean json() {
    return json;
  }

  public boolean verbose() {
    return verbose;
  }

  /**
   * Returns the store that was named. Not by picocli's default, which would take what looks like a
   * variable in a password for one.
   */
  String uri() {
    if (uri != null) {
      return uri;
    }
    @Nullable String fromEnvironment = System.getenv("SYNCGUARD_URI");
    return fromEnvironment == null || fromEnvironment.isEmpty() ? "sqlite:" : fromEnvironment;
  }

  /** Blocks while the store is opened. */
  SyncGuard openGuard() {
    // The user has the id of what a command acquires: closing must not release it.
    return SyncGuard.open(
        uri(),
        GuardOptions.defaults()
            .withKeepOnClose()
            .withTelemetry(new WaitNotice(terminal.err()).telemetry()));
  }

  /** Prints this as JSON if that is wanted, and the text otherwise. */
  void print(Map<String, ? extends @Nullable Object> fields, String text) {
    terminal.out().println(json ? Json.of(fields) : text);
    terminal.out().check();
  }

  /**
   * Prints this in the same way, and undoes what cannot be asked for again if it cannot be printed.
   *
   * @param undo returns what it did
   */
  void printOrUndo(
      Map<String, ? extends @Nullable Object> fields, String text, Supplier<String> undo) {
    terminal.out().println(json ? Json.of(fields) : text);
    requireWritten(undo);
  }

  /** Undoes what cannot be asked for again if it could not be printed. */
  void requireWritten(Supplier<String> undo) {
    terminal
        .out()
        .problem()
        .ifPresent(
            problem -> {
              throw Failure.untold(problem, undo.get());
            });
  }

  /**
   * Prints what was done. The failure says it, too, where it cannot be printed, so that it is not
   * repeated lightly.
   *
   * @param done what was done, in words
   */
  void printDone(Map<String, ? extends @Nullable Object> fields, String text, String done) {
    terminal.out().println(json ? Json.of(fields) : text);
    terminal
        .out()
        .problem()
        .ifPresent(
            problem -> {
              throw Failure.doneUntold(problem, done);
            });
  }

  /** Prints what was done if JSON is wanted, and nothing otherwise: the exit code says it. */
  void printDoneIfJson(Map<String, ? extends @Nullable Object> fields, String done) {
    if (json) {
      printDone(fields, "", done);
    }
  }
}
