package io.syncguard.cli;

import java.util.Locale;

/** An end that is not a success and needs no stack trace: a line for the user, and a code. */
final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final String kind;

  private Failure(int exitCode, String kind, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
    this.kind = kind;
  }

  static Failure no(String message) {
    return new Failure(Exit.NO, "NO", message);
  }

  static Failure busy(String key) {
    return new Failure(Exit.BUSY, "BUSY", "'" + Terminal.printable(key) + "' is busy");
  }

  static Failure limited(String message) {
    return new Failure(Exit.BUSY, "LIMITED", message);
  }

  static Failure lost(String message) {
    return new Failure(Exit.LOST, "LOST", message);
  }

  static Failure usage(String message) {
    return new Failure(Exit.USAGE, "USAGE", message);
  }

  static Failure notStarted(int exitCode, String command) {
    String reason = exitCode == Exit.NO_SUCH_COMMAND ? "no such command" : "cannot be executed";
    return new Failure(
        exitCode, reason.toUpperCase(Locale.ROOT).replace(' ', '_'), command + ": " + reason);
  }

  static Failure signalled(int number, String name) {
    return new Failure(Exit.SIGNAL + number, "SIGNAL", "ended by SIG" + name + " while waiting");
  }

  static Failure unwritten(String problem) {
    return new Failure(Exit.OUTPUT, "OUTPUT", "the output could not be written: " + problem);
  }

  /** What could not be written was all there is to know of something that has happened. */
  static Failure untold(String problem, String consequence) {
    return new Failure(
        Exit.OUTPUT,
        "OUTPUT",
        "the output could not be written (" + problem + "), so " + consequence);
  }

  /** Something was done all the same, which only the output would have told. */
  static Failure doneUntold(String problem, String done) {
    return new Failure(
        Exit.OUTPUT, "OUTPUT", "the output could not be written (" + problem + "), but " + done);
  }

  /** Whoever read the output has enough of it. */
  static Failure unread() {
    return new Failure(Exit.UNREAD, "PIPE", "");
  }

  int exitCode() {
    return exitCode;
  }

  /** Returns whether there is nobody who would want to hear of it. */
  boolean isQuiet() {
    return exitCode == Exit.UNREAD;
  }

  /** Returns what a script can tell failures apart by. */
  String kind() {
    return kind;
  }
}
