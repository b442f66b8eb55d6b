package io.syncguard.cli.output;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;

/**
 * A terminal that does not show what is typed, until this is closed or the process is ended, by an
 * interrupt for example. Java's own console wants output to be a terminal as well, and reads a
 * single line: not enough for {@code id=$(syncguard secret put)}.
 */
public final class HiddenTyping implements AutoCloseable {

  private final String settings;
  private final Thread restoring;

  private HiddenTyping(String settings) {
    this.settings = settings;
    this.restoring = new Thread(() -> stty(settings), "syncguard-show-typing");
  }

  /** Returns nothing if input is no terminal, or if there is no stty to ask. */
  public static Optional<HiddenTyping> begin() {
    Optional<HiddenTyping> hidden = stty("-g").map(HiddenTyping::new);
    hidden.ifPresent(
        typing -> {
          Runtime.getRuntime().addShutdownHook(typing.restoring);
          stty("-echo");
        });
    return hidden;
  }

  @Override
  public void close() {
    stty(settings);
    try {
      Runtime.getRuntime().removeShutdownHook(restoring);
    } catch (IllegalStateException e) {
      // The process is being ended, and the hook does the same once more.
    }
  }

  /**
   * Blocks while stty does something to the terminal that is the input; returns what it printed.
   */
  private static Optional<String> stty(String argument) {
    try {
      Process stty =
          new ProcessBuilder("stty", argument)
              .redirectInput(Redirect.INHERIT)
              .redirectError(Redirect.DISCARD)
              .start();
      String printed = new String(stty.getInputStream().readAllBytes(), US_ASCII).strip();
      return stty.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
