package io.syncguard.cli;

import io.syncguard.SyncGuard;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.Callable;
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
    header = "Coordinate processes through a store: locks, semaphores, secrets, limits.",
    synopsisHeading = "%nUsage: ",
    descriptionHeading = "%n",
    description = {
      "Without a store of your own, processes of this user on this machine coordinate through a"
          + " SQLite file. To coordinate machines, name a Redis or a PostgreSQL that they share.",
      "",
      "A TIME is a number of seconds, or one with a unit: 500ms, 30s, 5m, 2h, 7d."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExit code:%n",
    footer = {
      "    0  done; 'run' returns what its command does",
      "    1  the answer is no: nobody holds it, there is no such secret, a check failed",
      "    2  a check found something that deserves attention",
      "   64  the command line, the URI or a value is wrong",
      "   69  the store cannot be reached or cannot serve now",
      "   70  something unexpected",
      "   75  busy: somebody else holds it, or the limit is reached",
      "   76  the lock was lost",
      "   77  the store refused the login or a right",
      "  126  the command of 'run' cannot be executed",
      "  127  there is no such command to 'run'",
      "  128  and above: a signal, 128 and its number",
      "",
      "Environment:",
      "  SYNCGUARD_URI          the store, where --store does not say",
      "  SYNCGUARD_LOCK_ID      the lock of 'lock extend' and 'lock release'; set by 'run'",
      "  SYNCGUARD_FENCE        set by 'run': the lock's fencing token",
      "  SYNCGUARD_SEALING_KEY  the key of 'secret view'",
      "  NO_COLOR               no colours, also on a terminal",
      "",
      "Example:",
      "  syncguard run nightly-report -- ./report.sh"
    },
    subcommands = {
      RunCommand.class,
      LockCommand.class,
      SemaphoreCommand.class,
      SecretCommand.class,
      LimitCommand.class,
      ReleaseCommand.class,
      ListCommand.class,
      DoctorCommand.class,
      SetupCommand.class,
      BenchCommand.class,
      CompletionCommand.class,
      WarmUpCommand.class,
    })
final class SyncguardCommand implements Callable<Integer> {

  private final Terminal terminal = new Terminal();

  @Option(
      names = "--store",
      paramLabel = "URI",
      scope = ScopeType.INHERIT,
      defaultValue = "${env:SYNCGUARD_URI:-sqlite:}",
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = {
        "Which store: sqlite:PATH, redis://HOST:PORT,",
        "postgresql://HOST/DATABASE, or what else the guides name.",
        "Default: $SYNCGUARD_URI, or a SQLite file in ~/.syncguard."
      })
  private String uri = "sqlite:";

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

  String uri() {
    return uri;
  }

  /** Blocks while the store is opened. */
  Store openStore() {
    return StoreProvider.openStore(uri, TimeSource.system());
  }

  /** Blocks while the store is opened. */
  SyncGuard openGuard() {
    return SyncGuard.over(openStore());
  }

  /** Prints this as JSON if that is wanted, and the text otherwise. */
  void print(Map<String, ? extends @Nullable Object> fields, String text) {
    terminal.out().println(json ? Json.of(fields) : text);
  }

  /** Prints this as JSON if that is wanted, and nothing otherwise: the exit code says it. */
  void printIfJson(Map<String, ? extends @Nullable Object> fields) {
    if (json) {
      terminal.out().println(Json.of(fields));
    }
  }
}
