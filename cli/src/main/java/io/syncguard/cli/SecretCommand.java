package io.syncguard.cli;

import io.syncguard.SyncGuard;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "secret",
    header = "Pass on a secret that burns after so many views.",
    description =
        "Whoever has a secret's id can view it, so pass the id on as you would the secret, and only"
            + " once.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  id=$(syncguard secret put --views 1 --ttl 1h <password.txt)",
      "  syncguard secret view \"$id\" >password.txt",
    })
final class SecretCommand {

  private static final String ID = "What 'secret put' printed.";

  private final SyncguardCommand root;

  SecretCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Command(
      name = "put",
      header = "Store what comes from standard input, and print its id.",
      description =
          "Takes any bytes, up to a mebibyte, as they are: 'printf %%s' leaves out the line's end"
              + " that 'echo' would add. With --seal the id is followed by a space and a key.")
  int put(
      @Option(
              names = "--views",
              paramLabel = "N",
              defaultValue = "1",
              description = "How often it can be viewed. Default: once.")
          int views,
      @Option(
              names = "--ttl",
              paramLabel = "TIME",
              defaultValue = "1h",
              description = "How long it lives at most. Default: 1h.")
          Duration ttl,
      @Option(
              names = "--seal",
              description = "Encrypt it with a new key, which the store never sees.")
          boolean seal)
      throws IOException {
    byte[] payload = readInput();
    try (SyncGuard guard = root.openGuard()) {
      if (seal) {
        SealingKey key = SealingKey.random();
        SecretId id = guard.secrets().putSealed(payload, key, Views.of(views), ttl);
        root.print(Json.object("id", id.value(), "key", key.text()), id.value() + " " + key.text());
      } else {
        SecretId id = guard.secrets().put(payload, Views.of(views), ttl);
        root.print(Json.object("id", id.value()), id.value());
      }
      return Exit.OK;
    }
  }

  /** Not more than can be stored: what is too large is refused all the same. */
  private byte[] readInput() throws IOException {
    if (root.terminal().isInput()) {
      root.terminal().err().println("Type the secret, and end it with a line that is only Ctrl-D.");
    }
    return System.in.readNBytes(Secrets.DEFAULT_LARGEST_PAYLOAD + 1);
  }

  @Command(
      name = "view",
      header = "Print a secret, byte for byte, and count a view.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if there was one, 1 if it is used up, burned, expired, or never was.")
  int view(
      @Parameters(paramLabel = "ID", description = ID) String id,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              defaultValue = "${env:SYNCGUARD_SEALING_KEY}",
              description =
                  "The key of a sealed one. Default: $SYNCGUARD_SEALING_KEY, which other users do"
                      + " not see in the list of processes.")
          @Nullable String key) {
    SealingKey sealingKey = key == null ? null : SealingKey.of(key);
    try (SyncGuard guard = root.openGuard()) {
      SecretView view = guard.secrets().view(SecretId.of(id)).orElseThrow(SecretCommand::gone);
      byte[] value = sealingKey == null ? view.value() : view.open(sealingKey);
      if (root.json()) {
        root.printIfJson(
            Json.object(
                "remaining", view.remaining(),
                "base64", Base64.getEncoder().encodeToString(value)));
      } else {
        root.terminal().out().write(value, 0, value.length);
        root.terminal().out().flush();
      }
      return Exit.OK;
    }
  }

  @Command(
      name = "peek",
      header = "Tell how many views a secret has left, and for how long.",
      description = "Does not reveal it, and counts no view.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if there is one, 1 if not.")
  int peek(@Parameters(paramLabel = "ID", description = ID) String id) {
    try (SyncGuard guard = root.openGuard()) {
      SecretInfo info = guard.secrets().peek(SecretId.of(id)).orElseThrow(SecretCommand::gone);
      root.print(
          Json.object("remaining", info.remaining(), "expiresAt", info.expiresAt()),
          "views    "
              + info.remaining()
              + System.lineSeparator()
              + "expires  in "
              + Durations.show(Duration.between(Instant.now(), info.expiresAt())));
      return Exit.OK;
    }
  }

  @Command(
      name = "burn",
      header = "Destroy a secret.",
      footerHeading = "%nExit code:%n",
      footer = "  0 if there was one, 1 if not.")
  int burn(@Parameters(paramLabel = "ID", description = ID) String id) {
    try (SyncGuard guard = root.openGuard()) {
      if (!guard.secrets().burn(SecretId.of(id))) {
        throw gone();
      }
      root.printIfJson(Json.object("burned", true));
      return Exit.OK;
    }
  }

  private static Failure gone() {
    return Failure.no("there is no such secret: used up, burned, expired, or never there");
  }
}
