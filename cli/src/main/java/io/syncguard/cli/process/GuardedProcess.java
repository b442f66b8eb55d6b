package io.syncguard.cli.process;

import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command with this process's input, output and errors, and all processes that it starts.
 *
 * <p>Without a terminal it has its own session, so that it gets signals from this process only, and
 * what it started is found again. With a terminal it stays in this process's group, to which the
 * terminal sends its signals.
 */
public final class GuardedProcess {

  /** ENOENT, as one JDK or another puts it. */
  private static final Pattern NO_SUCH_FILE = Pattern.compile("error[=:] ?2\\b");

  /** Where the launcher keeps the LC_ALL that it was called with. */
  private static final String CALLERS_LOCALE = "SYNCGUARD_LC_ALL";

  /** What is started while all are being killed is killed in the next round. */
  private static final int ROUNDS_OF_KILLING = 5;

  private final Process process;
  private final boolean ownSession;
  private final long startedAt;

  private GuardedProcess(Process process, boolean ownSession, long startedAt) {
    this.process = process;
    this.ownSession = ownSession;
    this.startedAt = startedAt;
  }

  /**
   * Starts the command.
   *
   * @param hidden names of variables that it must not see
   * @param environment variables that it sees besides those of this process
   */
  public static GuardedProcess start(
      List<String> command, Set<String> hidden, Map<String, String> environment) {
    String program = command.get(0);
    boolean ownSession = !Sessions.hasTerminal() && Sessions.canBegin();
    if (ownSession) {
      // It would be started, and end with a code that looks like the command's own.
      Programs.refusal(program)
          .ifPresent(
              refusal -> {
                throw refusal;
              });
    }
    ProcessBuilder builder =
        new ProcessBuilder(ownSession ? Sessions.inNew(command) : command).inheritIO();
    builder.environment().keySet().removeAll(hidden);
    restoreLocale(builder.environment());
    builder.environment().putAll(environment);
    long startedAt = System.nanoTime();
    try {
      return new GuardedProcess(builder.start(), ownSession, startedAt);
    } catch (IOException e) {
      boolean missing = NO_SUCH_FILE.matcher(String.valueOf(e.getMessage())).find();
      throw Failure.notStarted(missing ? Exit.NO_SUCH_COMMAND : Exit.NOT_EXECUTABLE, program);
    }
  }

  /** The launcher has Java read words as UTF-8, whatever the caller's locale. */
  private static void restoreLocale(Map<String, String> environment) {
    String callers = environment.remove(CALLERS_LOCALE);
    if (callers != null) {
      environment.remove("LC_ALL");
      if (!callers.isEmpty()) {
        environment.put("LC_ALL", callers);
      }
    }
  }

  /**
   * Passes on a signal that this process got, unless the command got it by itself.
   *
   * @param arrivedAt when this process got it, in {@link System#nanoTime}
   * @return false if the command has ended without it
   */
  boolean signal(String name, long arrivedAt, Reach reach) {
    boolean cameBefore = arrivedAt - startedAt < 0;
    if (!cameBefore && gotByItself(reach)) {
      return true;
    }
    if (!process.isAlive()) {
      return false;
    }
    boolean toItsGroup = reach == Reach.GROUP && ownSession;
    if (name.equals("TERM") && !toItsGroup) {
      // Looks whether the id still is the command's.
      return process.toHandle().destroy();
    }
    // The shell's own kill: Java knows two signals only, and small images lack the program.
    String target = (toItsGroup ? "-" : "") + process.pid();
    try {
      new ProcessBuilder("sh", "-c", "kill -s " + name + " -- " + target)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private boolean gotByItself(Reach reach) {
    return switch (reach) {
      case ALONE -> false;
      // A command may have left the group, as timeout does; it then gets what this process gets.
      case GROUP -> !ownSession && !Sessions.hasLeftGroup(process.pid());
      case SERVICE -> true;
    };
  }

  /** Blocks until it has ended; returns its exit code, or 128 and the signal that ended it. */
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  /** Blocks while it is asked to end, with all that it started, and killed after the grace. */
  public void terminate(Duration grace) {
    List<ProcessHandle> asked = all().toList();
    asked.forEach(ProcessHandle::destroy);
    CompletableFuture<?>[] ends =
        asked.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ends)
        .completeOnTimeout(null, grace.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    // A process whose parent has ended is not among the descendants any more, hence both.
    asked.forEach(ProcessHandle::destroyForcibly);
    for (int round = 0; round < ROUNDS_OF_KILLING; round++) {
      all().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Parents first: a shell that outlives its child goes on to the next step of its script. */
  private Stream<ProcessHandle> all() {
    // The id of a process that has ended may be another process's, with other descendants.
    Stream<ProcessHandle> family =
        process.isAlive()
            ? Stream.concat(Stream.of(process.toHandle()), process.descendants())
            : Stream.empty();
    return ownSession
        ? Stream.concat(family, Sessions.members(process.toHandle())).distinct()
        : family;
  }
}
