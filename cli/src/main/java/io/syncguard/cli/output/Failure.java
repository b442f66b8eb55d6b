package io.syncguard.cli.output;

import java.util.Locale;

/** An end that is not a success and needs no stack trace: a line for the user, and a code. */
public final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final String kind;

  private Failure(int exitCode, String kind, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
    this.kind = kind;
  }

  public static Failure no(String message) {
    return new Failure(Exit.NO, "NO", message);
  }

  public static Failure busy(String key) {
    return new Failure(Exit.BUSY, "BUSY", "'" + Terminal.printable(key) + "' is busy");
  }

  public static Failure limited(String message) {
    return new Failure(Exit.BUSY, "LIMITED", message);
  }

  public static Failure lost(String message) {
    return new Failure(Exit.LOST, "LOST", message);
  }

  public static Failure usage(String message) {
    return new Failure(Exit.USAGE, "USAGE", message);
  }

  public static Failure notStarted(int exitCode, String command) {
    String reason = exitCode == Exit.NO_SUCH_COMMAND ? "no such command" : "cannot be executed";
    return new Failure(
        exitCode, reason.toUpperCase(Locale.ROOT).replace(' ', '_'), command + ": " + reason);
  }

  public static Failure signalled(int number, String name) {
    return new Failure(Exit.SIGNAL + number, "SIGNAL", "ended by SIG" + name + " while waiting");
  }

  public static Failure unwritten(String problem) {
    return new Failure(Exit.OUTPUT, "OUTPUT", "the output could not be written: " + problem);
  }

  /** What could not be written was all there is to know of something that has happened. */
  public static Failure untold(String problem, String consequence) {
    return new Failure(
        Exit.OUTPUT,
        "OUTPUT",
        "the output could not be written (" + problem + "), so " + consequence);
  }

  /** Something was done all the same, which only the output would have told. */
  public static Failure doneUntold(String problem, String done) {
    return new Failure(
        Exit.OUTPUT, "OUTPUT", "the output could not be written (" + problem + "), but " + done);
  }

  /** The reader of the output has closed it. */
  public static Failure unread() {
    return new Failure(Exit.UNREAD, "PIPE", "");
  }

  public int exitCode() {
    return exitCode;
  }

  /** Returns whether it is told by the exit code alone. */
  public boolean isQuiet() {
    return exitCode == Exit.UNREAD;
  }

  /** Returns the word by which a script can tell failures apart. */
  public String kind() {
    return kind;
  }
}
