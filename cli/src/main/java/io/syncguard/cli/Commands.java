package io.syncguard.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The subcommands, in the order in which help shows them. */
final class Commands {

  private static final Map<String, Class<?>> ALL = new LinkedHashMap<>();

  /** It has to know the others. */
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
   * Adds the command that the first word names, or else all of them. To build what picocli knows of
   * one takes a fraction of the time that all would take, and that is most of a start.
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
