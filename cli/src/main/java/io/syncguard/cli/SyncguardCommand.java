package io.syncguard.cli;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
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
final class SyncguardCommand implements Callable<Integer> {

  /** The only option before a subcommand that has a value. */
  static final String STORE = "--store";

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
      description = "Print JSON, one value a line; times are milliseconds.")
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

  Terminal terminal() {
    return terminal;
  }

  boolean json() {
    return json;
  }

  boolean verbose() {
    return verbose;
  }

  /** Blocks while the store is opened. */
  Store openStore() {
    return StoreProvider.openStore(uri(), TimeSource.system());
  }

  /**
   * Not picocli's own default: that would take what looks like a variable in a password for one.
   */
  private String uri() {
    if (uri != null) {
      return uri;
    }
    @Nullable String fromEnvironment = System.getenv("SYNCGUARD_URI");
    return fromEnvironment == null || fromEnvironment.isEmpty() ? "sqlite:" : fromEnvironment;
  }

  /** Blocks while the store is opened. */
  SyncGuard openGuard() {
    // What a command acquires is for its user, who has its id: closing must not release it.
    return SyncGuard.over(
        openStore(),
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
   * Does so too for what cannot be asked for again.
   *
   * @param undo for when it cannot be printed; returns what it did
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
   * Prints what was done, which is not the same as what only shows something: it is not repeated
   * lightly, so that it is said where it cannot be printed.
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

  /** Does so if JSON is wanted, and prints nothing otherwise: the exit code says it. */
  void printDoneIfJson(Map<String, ? extends @Nullable Object> fields, String done) {
    if (json) {
      printDone(fields, "", done);
    }
  }
}
