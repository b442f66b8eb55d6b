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
    synopsisHeading = "%nUsage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n")
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
