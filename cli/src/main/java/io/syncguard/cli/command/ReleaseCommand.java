package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.LockReport;
import io.syncguard.lock.RawLockInfo;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "release",
    header = "Take a lock away from its holder.",
    description = {
      "Shows the lock, asks, and frees it. Its holder does not notice at once: it loses the lock at"
          + " its next extension, and until then goes on. The next holder gets a greater fencing"
          + " token, by which a resource can tell the two apart.",
      "",
      "To release a lock of your own, see 'syncguard lock release'."
    },
    footerHeading = "%nExit code:%n",
    footer = {
      "  0 if it was taken away; 1 if it was free, if it changed hands meanwhile, or if the",
      "  answer was no.",
      "",
      "Example:",
      "  syncguard release --force nightly-report"
    })
public final class ReleaseCommand implements Callable<Integer> {

  private final SyncguardCommand root;

  @Parameters(paramLabel = "KEY", description = "What is locked.")
  private String key = "";

  @Option(names = "--force", description = "Must be given: another client holds the lock.")
  private boolean force;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask. For scripts.")
  private boolean yes;

  ReleaseCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException {
    if (!force) {
      throw Failure.usage("--force takes the lock from its holder; 'lock release' is for your own");
    }
    try (SyncGuard guard = root.openGuard()) {
      RawLockInfo lock =
          guard.locks().getByKeyRaw(key).orElseThrow(() -> Failure.no("'" + key + "' is free"));
      confirm(lock);
      if (!guard.locks().release(lock.lockId()).isReleased()) {
        throw Failure.no("'" + key + "' changed hands meanwhile, and was left alone");
      }
      root.printDone(LockReport.fields(lock, false), "released", "the lock was released");
      return Exit.OK;
    }
  }

  private void confirm(RawLockInfo lock) throws IOException {
    if (!root.json()) {
      root.terminal().err().println(LockReport.text(lock, false));
    }
    if (yes) {
      return;
    }
    if (!root.terminal().isInput()) {
      throw Failure.usage("there is no terminal to ask at; --yes releases it all the same");
    }
    if (!root.terminal().asksYes("Take it away from its holder? [y/N] ")) {
      throw Failure.no("left as it is");
    }
  }
}
