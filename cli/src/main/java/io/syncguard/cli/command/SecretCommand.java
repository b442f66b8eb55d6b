package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.cli.output.Durations;
import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import io.syncguard.cli.output.HiddenTyping;
import io.syncguard.cli.output.Json;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "secret",
    header = "Pass on a secret that burns after so many views.",
    description =
        "Every user who has a secret's id can view it, so pass the id on as you would the secret,"
            + " and only once.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  id=$(syncguard secret put --views 1 --ttl 1h <password.txt)",
      "  syncguard secret view \"$id\" >password.txt",
    })
public final class SecretCommand {

  private static final String ID = "What 'secret put' printed.";
  private static final String USED_UP = "a view of the secret is used up";

  private final SyncguardCommand root;

  SecretCommand(SyncguardCommand root) {
    this.root = root;
  }

  @Command(
      name = "put",
      header = "Store what comes from standard input, and print its id.",
      description =
          "Takes any bytes, up to a mebibyte, as they are: 'printf %%s' leaves out the line's end"
              + " that 'echo' would add. What is typed at a terminal is not shown, may have several"
              + " lines, and is taken without the last line's end. With --seal the id is followed by"
              + " a space and a key.")
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
        root.printOrUndo(
            Json.object("id", id.value(), "key", key.text()),
            id.value() + " " + key.text(),
            () -> burnUntold(guard, id));
      } else {
        SecretId id = guard.secrets().put(payload, Views.of(views), ttl);
        root.printOrUndo(Json.object("id", id.value()), id.value(), () -> burnUntold(guard, id));
      }
      return Exit.OK;
    }
  }

  private static String burnUntold(SyncGuard guard, SecretId id) {
    try {
      guard.secrets().burn(id);
      return "the secret was burned";
    } catch (SyncGuardException e) {
      return "the secret stays until it expires, since it was not burned: " + e.getMessage();
    }
  }

  private byte[] readInput() throws IOException {
    if (!root.terminal().mayBeInput()) {
      return readAll();
    }
    Optional<HiddenTyping> hidden = HiddenTyping.begin();
    if (hidden.isEmpty() && !root.terminal().isInput()) {
      return readAll();
    }
    root.terminal()
        .err()
        .println(
            "Type or paste the secret, which is "
                + (hidden.isPresent() ? "not shown" : "shown, as there is no stty")
                + ", and end it with a line that is only Ctrl-D.");
    try {
      return typed(readAll());
    } finally {
      hidden.ifPresent(HiddenTyping::close);
    }
  }

  /** Not more than can be stored: what is too large is refused all the same. */
  private static byte[] readAll() {
    try {
      return System.in.readNBytes(Secrets.DEFAULT_LARGEST_PAYLOAD + 1);
    } catch (IOException e) {
      throw Failure.usage("The input cannot be read: " + e.getMessage());
    }
  }

  /** The last line's end was typed to get to the line with Ctrl-D. */
  private static byte[] typed(byte[] input) {
    if (input.length == 0) {
      throw Failure.usage("nothing was typed, so nothing was stored");
    }
    int last = input.length - 1;
    return input[last] == '\n' ? Arrays.copyOf(input, last) : input;
  }

  @Command(
      name = "view",
      header = "Print a secret, byte for byte, and count a view.",
      footerHeading = "%nExit code:%n",
      footer = {
        "  0 if there was one; 1 if it is used up, burned, expired, or never was; 65 if the key is",
        "  wrong or missing, and then no view was counted; 74 if it could not be printed."
      })
  int view(
      @Parameters(paramLabel = "ID", description = ID) String id,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description =
                  "The key of a sealed one. Default: $SYNCGUARD_SEALING_KEY, which other users do"
                      + " not see in the list of processes.")
          @Nullable String key) {
    String text = key == null ? keyOfEnvironment() : key;
    SealingKey sealingKey = text == null ? null : SealingKey.of(text);
    root.terminal()
        .out()
        .problemAhead()
        .ifPresent(
            problem -> {
              throw Failure.untold(problem, "the secret was not viewed");
            });
    try (SyncGuard guard = root.openGuard()) {
      Secrets secrets = guard.secrets();
      SecretId secretId = SecretId.of(id);
      SecretView view =
          (sealingKey == null ? secrets.view(secretId) : secrets.view(secretId, sealingKey))
              .orElseThrow(SecretCommand::gone);
      byte[] value = view.value();
      if (root.json()) {
        root.printOrUndo(
            Json.object(
                "remaining", view.remaining(),
                "base64", Base64.getEncoder().encodeToString(value)),
            "",
            () -> USED_UP);
      } else {
        root.terminal().out().write(value, 0, value.length);
        root.requireWritten(() -> USED_UP);
      }
      return Exit.OK;
    }
  }

  /** Not picocli's own default: that would take an empty variable for a key. */
  private static @Nullable String keyOfEnvironment() {
    @Nullable String key = System.getenv("SYNCGUARD_SEALING_KEY");
    return key == null || key.isEmpty() ? null : key;
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
      root.printDoneIfJson(Json.object("burned", true), "the secret was burned");
      return Exit.OK;
    }
  }

  private static Failure gone() {
    return Failure.no("there is no such secret: used up, burned, expired, or never there");
  }
}
