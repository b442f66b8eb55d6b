package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Json;
import io.syncguard.cli.output.Terminal.Colour;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "doctor",
    header = "Find out whether this store is fit to keep locks.",
    description = {
      "Looks at the store's version and settings: what it evicts, what it keeps when it crashes,"
          + " what a failover forgets, its schema, this user's rights, and whether it tells waiters"
          + " of changes. Takes and releases the lock 'syncguard-doctor' sixty times to see that it"
          + " works, how long it takes, and how far the clocks are apart.",
      "",
      "Each line is ok, a warning (a promise may be broken when something else fails) or a failure"
          + " (it does not work, or a promise is broken already), with what to do about it."
    },
    footerHeading = "%nExit code:%n",
    footer = {
      "  0 if all is well, 2 with warnings, 1 with a failure.",
      "",
      "Example:",
      "  syncguard doctor --store redis://localhost"
    })
public final class DoctorCommand implements Callable<Integer> {

  private final SyncguardCommand root;

  DoctorCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() {
    List<Finding> findings = examine();
    findings.forEach(this::print);
    if (has(findings, Level.FAILURE)) {
      return Exit.NO;
    }
    return has(findings, Level.WARNING) ? Exit.WARNING : Exit.OK;
  }

  private static boolean has(List<Finding> findings, Level level) {
    return findings.stream().anyMatch(finding -> finding.level() == level);
  }

  private List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    try (SyncGuard guard = SyncGuard.open(root.uri())) {
      findings.add(Finding.ok("connection", "the store answers"));
      findings.addAll(guard.examine());
      findings.addAll(new Probe(guard).findings());
    } catch (SyncGuardException e) {
      findings.add(
          Finding.failure("connection", String.valueOf(e.getMessage()), adviceFor(e.code())));
    }
    return findings;
  }

  private static String adviceFor(SyncGuardException.Code code) {
    return switch (code) {
      case INVALID_ARGUMENT -> "Mend --store, or SYNCGUARD_URI";
      case AUTH_FAILED -> "See to the user, the password and the rights, or to the certificates";
      default -> "See whether the store runs, and whether the network lets you reach it";
    };
  }

  private void print(Finding finding) {
    String level = finding.level().name().toLowerCase(Locale.ROOT);
    String line =
        root.terminal().coloured(colour(finding.level()), String.format("%-8s", level))
            + String.format("%-13s", finding.subject())
            + finding.detail();
    String advice =
        finding.advice().isEmpty()
            ? ""
            : System.lineSeparator() + " ".repeat(21) + "-> " + finding.advice();
    root.print(
        Json.object(
            "level", level,
            "subject", finding.subject(),
            "detail", finding.detail(),
            "advice", finding.advice()),
        line + advice);
  }

  private static Colour colour(Level level) {
    return switch (level) {
      case OK -> Colour.GREEN;
      case WARNING -> Colour.YELLOW;
      case FAILURE -> Colour.RED;
    };
  }
}
