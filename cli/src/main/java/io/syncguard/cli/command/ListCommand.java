package io.syncguard.cli.command;

import io.syncguard.CancelSignal;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.cli.output.Durations;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.Json;
import io.syncguard.cli.output.Screen;
import io.syncguard.cli.output.Terminal;
import io.syncguard.cli.output.Terminal.Colour;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Scan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "ls",
    header = "List live locks, and semaphores with their queues.",
    description =
        "Walks through the store a page at a time, so that others can go on. What comes or goes"
            + " meanwhile may be listed or not. Names are hashed, as in logs.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard ls --raw",
      "  syncguard ls --watch 2s",
      "  syncguard ls --json | jq 'select(.type == \"lock\")'"
    })
public final class ListCommand implements Callable<Integer> {

  private static final String LOCK_LINE = "%-16s  %-9s  %-10s  %s";
  private static final String SEMAPHORE_LINE = "%-6s  %-6s  %-7s  %-12s  %s";

  private final SyncguardCommand root;

  @Option(names = "--raw", description = "Show names, not their hashes.")
  private boolean raw;

  @Option(
      names = "--watch",
      paramLabel = "TIME",
      arity = "0..1",
      fallbackValue = "1s",
      description = "List again, in place, in this interval, until interrupted. Default: 1s.")
  private @Nullable Duration watch;

  ListCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (watch != null && watch.isZero()) {
      throw Failure.usage("--watch must be longer than 0");
    }
    Screen screen =
        watch != null && root.terminal().isOutput() && !root.json()
            ? Screen.refreshed(root.terminal())
            : Screen.endless(root.terminal());
    try (SyncGuard guard = root.openGuard()) {
      list(guard, screen);
      while (watch != null) {
        Thread.sleep(watch.toMillis());
        list(guard, screen);
      }
    }
    return Exit.OK;
  }

  private void list(SyncGuard guard, Screen screen) {
    screen.begin();
    boolean any = printAll(guard.scanLocks(), lockHeading(), this::line, screen);
    any |= printAll(guard.scanSemaphores(), semaphoreHeading(), this::line, screen);
    if (!any && !root.json()) {
      screen.print("nothing is held");
    }
    screen.end();
  }

  private <T> boolean printAll(
      Scan<T> scan, String heading, Function<T, String> line, Screen screen) {
    boolean any = false;
    for (Optional<List<T>> page = next(scan); page.isPresent(); page = next(scan)) {
      for (T found : page.get()) {
        if (!any && !root.json()) {
          screen.print(root.terminal().coloured(Colour.BOLD, heading));
        }
        any = true;
        if (!screen.hasRoom()) {
          screen.print("... and more");
          return true;
        }
        screen.print(line.apply(found));
      }
    }
    return any;
  }

  private static <T> Optional<List<T>> next(Scan<T> scan) {
    return scan.next(CancelSignal.never());
  }

  private String lockHeading() {
    return String.format(LOCK_LINE, "FENCE", "HELD FOR", "EXPIRES IN", heading("LOCK"));
  }

  private String semaphoreHeading() {
    return String.format(
        SEMAPHORE_LINE, "SLOTS", "TAKEN", "WAITING", "LONGEST WAIT", heading("SEMAPHORE"));
  }

  private String heading(String what) {
    return raw ? what : what + " (HASHED)";
  }

  private String line(RawLockInfo lock) {
    if (root.json()) {
      return Json.of(
          Json.object(
              "type",
              "lock",
              raw ? "key" : "keyHash",
              shown(lock.key()),
              "lockIdHash",
              lock.lockId().hash(),
              "fence",
              lock.fence().toString(),
              "acquiredAt",
              lock.acquiredAt(),
              "expiresAt",
              lock.expiresAt()));
    }
    Instant now = Instant.now();
    return String.format(
        Locale.ROOT,
        LOCK_LINE,
        lock.fence(),
        Durations.show(Duration.between(lock.acquiredAt(), now)),
        Durations.show(Duration.between(now, lock.expiresAt())),
        Terminal.printable(shown(lock.key())));
  }

  private String line(SemaphoreStats stats) {
    if (root.json()) {
      return Json.of(
          Json.object(
              "type",
              "semaphore",
              raw ? "name" : "nameHash",
              shown(stats.name()),
              "acquired",
              stats.acquired(),
              "limit",
              stats.limit(),
              "waiting",
              stats.waiting(),
              "longestWait",
              stats.longestWait()));
    }
    return String.format(
        Locale.ROOT,
        SEMAPHORE_LINE,
        stats.limit(),
        stats.acquired(),
        stats.waiting(),
        Durations.show(stats.longestWait()),
        Terminal.printable(shown(stats.name())));
  }

  private String shown(String name) {
    return raw ? name : KeyHash.of(name);
  }
}
