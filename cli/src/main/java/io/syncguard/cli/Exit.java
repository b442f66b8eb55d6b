package io.syncguard.cli;

import io.syncguard.SyncGuardException;

/** What the command returns, after sysexits.h where that has something that fits. */
final class Exit {

  static final int OK = 0;

  /** The answer is no: nobody holds it, there is no such secret, a check failed. */
  static final int NO = 1;

  /** Nothing failed in the doctor's opinion, but something deserves attention. */
  static final int WARNING = 2;

  static final int USAGE = 64;
  static final int WRONG_KEY = 65;
  static final int UNAVAILABLE = 69;
  static final int INTERNAL = 70;
  static final int OUTPUT = 74;
  static final int BUSY = 75;
  static final int LOST = 76;
  static final int NOT_PERMITTED = 77;
  static final int NOT_EXECUTABLE = 126;
  static final int NO_SUCH_COMMAND = 127;

  /** As if SIGPIPE had ended the command, which Java does not let happen. */
  static final int UNREAD = 128 + 13;

  /** To be added to the number of the signal that ended the command. */
  static final int SIGNAL = 128;

  private Exit() {}

  static int of(SyncGuardException failure) {
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
