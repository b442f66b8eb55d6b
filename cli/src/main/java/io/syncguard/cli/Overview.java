package io.syncguard.cli;

import picocli.CommandLine.Model.UsageMessageSpec;

/** What the help of the command itself says; that of subcommands must not inherit it. */
final class Overview {

  private static final String[] DESCRIPTION = {
    "Without a store of your own, processes of this user on this machine coordinate through a"
        + " SQLite file. To coordinate machines, name a Redis or a PostgreSQL that they share.",
    "",
    "A TIME is a number with a unit: 500ms, 30s, 5m, 2h, 7d. Only 0 needs none."
  };

  private static final String[] FOOTER = {
    "    0  done; 'run' returns what its command does",
    "    1  the answer is no: it is free, there is no such secret, a check failed",
    "    2  a check found something that deserves attention",
    "   64  the command line, the URI or a value is wrong",
    "   65  the key of a sealed secret is wrong or missing",
    "   69  the store cannot be reached or cannot serve now",
    "   70  something unexpected",
    "   74  the output could not be written",
    "   75  busy: another client holds it, or the limit is reached",
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
  };

  private Overview() {}

  static void describe(UsageMessageSpec usage) {
    usage
        .header("Coordinate processes through a store: locks, semaphores, secrets, limits.")
        .description(DESCRIPTION)
        .footerHeading("%nExit code:%n")
        .footer(FOOTER);
  }
}
