package io.syncguard.cli;

import io.syncguard.CancelSignal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes signals on to a command, and until there is one ends the wait for it. Those that the JVM
 * keeps for itself (QUIT, KILL and the like) are not among them.
 */
final class Signals {

  private static final List<String> PASSED_ON = List.of("HUP", "INT", "TERM", "USR1", "USR2");

  private final CancelSignal whileWaiting = CancelSignal.create();
  private final boolean terminalInterrupts;
  private @Nullable Process command;
  private @Nullable OsSignal received;

  /**
   * Begins to listen.
   *
   * @param terminalInterrupts whether a terminal sends its interrupts to the command as well
   */
  Signals(boolean terminalInterrupts) {
    this.terminalInterrupts = terminalInterrupts;
    for (String name : PASSED_ON) {
      OsSignal.listen(name, this::received);
    }
  }

  private synchronized void received(OsSignal signal) {
    if (command == null) {
      received = signal;
      whileWaiting.cancel();
    } else if (!(terminalInterrupts && signal.name().equals("INT"))) {
      send(signal.name(), command.toHandle());
    }
  }

  /** Returns what ends the wait. */
  CancelSignal whileWaiting() {
    return whileWaiting;
  }

  /** From now on passes on what comes, and what came before. */
  synchronized void passTo(Process started) {
    command = started;
    if (received != null) {
      send(received.name(), started.toHandle());
    }
  }

  /** Returns why the wait ended, if a signal was the reason. */
  synchronized Optional<Failure> reason() {
    return Optional.ofNullable(received)
        .map(signal -> Failure.signalled(signal.number(), signal.name()));
  }

  /** The shell's own kill: Java knows two signals only, and small images lack the program. */
  private static void send(String name, ProcessHandle process) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
