package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.cli.output.Durations;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterResult.Counted;
import io.syncguard.counter.CounterState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "limit",
    header = "Count to a limit in a window of time.",
    description =
        "The window begins with the first hit and ends a fixed time later, whatever comes in"
            + " between; the next hit begins another.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard limit hit alerts --max 3 --window 1h && ./send-alert.sh",
      "  syncguard limit show alerts",
    })
public final class LimitCommand {

  private final SyncguardCommand root;

  LimitCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Command(
      name = "hit",
      header = "Count one, unless there were as many as are allowed.",
      description = "Prints how many there were in the window, and how many more are allowed.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if it was counted, 75 if the limit is reached.")
  int hit(
      @Parameters(paramLabel = "KEY", description = "What is counted.") String key,
      @Option(
              names = "--max",
              paramLabel = "N",
              required = true,
              description = "How many are allowed in a window.")
          long max,
      @Option(
              names = "--window",
              paramLabel = "TIME",
              required = true,
              description = "How long a window lasts.")
          Duration window) {
    try (SyncGuard guard = root.openGuard()) {
      CounterResult result = guard.counters().increment(key, max, window);
      if (result instanceof Counted counted) {
        root.printDone(
            Json.object(
                "counted", true,
                "count", counted.count(),
                "remaining", counted.remaining(),
                "resetAt", counted.resetAt()),
            counted.count() + " " + counted.remaining(),
            "the hit was counted");
        return Exit.OK;
      }
      throw Failure.limited(
          "'" + key + "' has reached its limit, for another " + until(result.resetAt()));
    }
  }

  @Command(
      name = "show",
      header = "Show how far a counter has come.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if a window is under way, 1 if not.")
  int show(@Parameters(paramLabel = "KEY", description = "What is counted.") String key) {
    try (SyncGuard guard = root.openGuard()) {
      Optional<CounterState> state = guard.counters().current(key);
      root.print(
          Json.object(
              "count", state.map(CounterState::count).orElse(0L),
              "resetAt", state.map(CounterState::resetAt).orElse(null)),
          state.map(LimitCommand::text).orElse("0"));
      return state.isPresent() ? Exit.OK : Exit.NO;
    }
  }

  private static String text(CounterState state) {
    return state.count() + ", for another " + until(state.resetAt());
  }

  private static String until(Instant end) {
    return end.equals(Instant.MAX)
        ? "time without end"
        : Durations.show(Duration.between(Instant.now(), end));
  }
}
