package io.syncguard.cli.command;

import io.syncguard.cli.output.Exit;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    header = "Print what completes this command in bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(syncguard completion)                     # in this shell",
      "  syncguard completion >~/.local/share/bash-completion/completions/syncguard"
    })
public final class CompletionCommand implements Callable<Integer> {

  private final SyncguardCommand root;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Override
  public Integer call() {
    root.terminal().out().print(AutoComplete.bash("syncguard", spec.root().commandLine()));
    return Exit.OK;
  }
}
