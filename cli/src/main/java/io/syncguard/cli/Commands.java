package io.syncguard.cli;

import io.syncguard.cli.command.BenchCommand;
import io.syncguard.cli.command.CompletionCommand;
import io.syncguard.cli.command.DoctorCommand;
import io.syncguard.cli.command.LimitCommand;
import io.syncguard.cli.command.ListCommand;
import io.syncguard.cli.command.LockCommand;
import io.syncguard.cli.command.ReleaseCommand;
import io.syncguard.cli.command.RunCommand;
import io.syncguard.cli.command.SecretCommand;
import io.syncguard.cli.command.SemaphoreCommand;
import io.syncguard.cli.command.SetupCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The subcommands, in the order in which help shows them. */
final class Commands {

  private static final Map<String, Class<?>> ALL = new LinkedHashMap<>();

  /** It completes the other commands, so it needs all of them. */
  private static final String COMPLETION = "completion";

  static {
    ALL.put("run", RunCommand.class);
    ALL.put("lock", LockCommand.class);
    ALL.put("semaphore", SemaphoreCommand.class);
    ALL.put("secret", SecretCommand.class);
    ALL.put("limit", LimitCommand.class);
    ALL.put("ls", ListCommand.class);
    ALL.put("release", ReleaseCommand.class);
    ALL.put("doctor", DoctorCommand.class);
    ALL.put("setup", SetupCommand.class);
    ALL.put("bench", BenchCommand.class);
    ALL.put(COMPLETION, CompletionCommand.class);
    ALL.put("warm-up", WarmUpCommand.class);
  }

  private Commands() {}

  /**
   * Adds the command that the first word names, or else all commands. What picocli builds for a
   * command takes time, and for all of them it would be most of a start.
   */
  static void addTo(CommandLine commandLine, String... args) {
    String first = args.length == 0 ? "" : args[0];
    @Nullable Class<?> only = first.equals(COMPLETION) ? null : ALL.get(first);
    if (only != null) {
      commandLine.addSubcommand(only);
    } else {
      ALL.values().forEach(commandLine::addSubcommand);
    }
  }
}
