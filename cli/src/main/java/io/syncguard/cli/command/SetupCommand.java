package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "setup",
    header = "Create the tables that a PostgreSQL store needs.",
    description =
        "What is there already stays, so it may be repeated. Needs the right to create tables and"
            + " functions. Other stores need no such thing, and nothing happens.",
    footerHeading = "%nExample:%n",
    footer = "  syncguard setup --store postgresql://user@host/database")
public final class SetupCommand implements Callable<Integer> {

  private final SyncguardCommand root;

  SetupCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() {
    try (SyncGuard guard = root.openGuard()) {
      guard.setupSchema();
      root.printDoneIfJson(Json.object("setUp", true), "the store was set up");
      return Exit.OK;
    }
  }
}
