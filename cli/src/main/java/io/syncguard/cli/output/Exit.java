package io.syncguard.cli.output;

import io.syncguard.SyncGuardException;

/** What the command returns, after sysexits.h where that has something that fits. */
public final class Exit {

  public static final int OK = 0;

  /** The answer is no: it is free, there is no such secret, a check failed. */
  public static final int NO = 1;

  /** No check failed, but something deserves attention. */
  public static final int WARNING = 2;

  public static final int USAGE = 64;
  public static final int WRONG_KEY = 65;
  public static final int UNAVAILABLE = 69;
  public static final int INTERNAL = 70;
  public static final int OUTPUT = 74;
  public static final int BUSY = 75;
  public static final int LOST = 76;
  public static final int NOT_PERMITTED = 77;
  public static final int NOT_EXECUTABLE = 126;
  public static final int NO_SUCH_COMMAND = 127;

  /** As if SIGPIPE had ended the command, which Java does not let happen. */
  public static final int UNREAD = 128 + 13;

  /** To be added to the number of the signal that ended the command. */
  public static final int SIGNAL = 128;

  private Exit() {}

  public static int of(SyncGuardException failure) {
    return switch (failure.code()) {
      case SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, RATE_LIMITED -> UNAVAILABLE;
      case AUTH_FAILED -> NOT_PERMITTED;
      case INVALID_ARGUMENT -> USAGE;
      case ACQUISITION_TIMEOUT -> BUSY;
      case LOCK_LOST -> LOST;
      case ABORTED, INTERNAL -> INTERNAL;
    };
  }
}
