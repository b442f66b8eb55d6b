package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.cli.output.Durations;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.semaphore.SemaphoreStats;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "semaphore",
    header = "Show or resize a semaphore.",
    description =
        "At most so many hold a semaphore at a time, and the others wait in line. 'syncguard run"
            + " --semaphore N' runs commands under one.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard semaphore stats encode",
      "  syncguard semaphore resize encode 8",
    })
public final class SemaphoreCommand {

  private final SyncguardCommand root;

  SemaphoreCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Command(
      name = "stats",
      header = "Show how a semaphore is used.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if it is in use, 1 if it has no holder and no waiter.")
  int stats(@Parameters(paramLabel = "NAME", description = "The semaphore.") String name) {
    try (SyncGuard guard = root.openGuard()) {
      Optional<SemaphoreStats> stats = guard.semaphores().stats(name);
      if (stats.isEmpty()) {
        root.print(Json.object("inUse", false, "name", name), "unused");
        return Exit.NO;
      }
      print(stats.get());
      return Exit.OK;
    }
  }

  private void print(SemaphoreStats stats) {
    root.print(
        Json.object(
            "inUse", true,
            "name", stats.name(),
            "acquired", stats.acquired(),
            "limit", stats.limit(),
            "waiting", stats.waiting(),
            "longestWait", stats.longestWait()),
        String.join(
            System.lineSeparator(),
            "held     " + stats.acquired() + " of " + stats.limit(),
            "waiting  " + stats.waiting(),
            "longest  " + Durations.show(stats.longestWait())));
  }

  @Command(
      name = "resize",
      header = "Change how many may hold a semaphore that is in use.",
      description =
          "Its holders go on, also beyond a smaller limit; its waiters keep their places in line."
              + " From then on, a client that comes with the old limit is refused.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if it was resized, 1 if it is not in use: its next user sets the limit then.")
  int resize(
      @Parameters(paramLabel = "NAME", description = "The semaphore.") String name,
      @Parameters(paramLabel = "LIMIT", description = "How many may hold it, from 1 on.")
          int limit) {
    try (SyncGuard guard = root.openGuard()) {
      if (!guard.semaphore(name, limit).resize(limit)) {
        throw Failure.no("'" + name + "' is not in use, so there is nothing to resize");
      }
      root.printDoneIfJson(
          Json.object("resized", true, "limit", limit), "the semaphore was resized");
      return Exit.OK;
    }
  }
}
