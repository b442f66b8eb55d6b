package io.syncguard.cli.output;

import java.util.Locale;

/** A line on the terminal that fills up; nothing where errors do not go to a terminal. */
public final class ProgressBar implements AutoCloseable {

  private static final int WIDTH = 30;
  private static final String ERASE_LINE = "\r\u001b[K";

  private final Terminal terminal;

  public ProgressBar(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Shows how much is done, from 0 to 1, and a word on it. */
  public void show(double done, String text) {
    if (terminal.isErrors()) {
      int filled = (int) Math.round(WIDTH * Math.min(1, done));
      String bar = "#".repeat(filled) + " ".repeat(WIDTH - filled);
      terminal
          .err()
          .print(
              String.format(Locale.ROOT, "\r[%s] %3.0f%%  %s", bar, 100 * Math.min(1, done), text));
      terminal.err().flush();
    }
  }

  @Override
  public void close() {
    if (terminal.isErrors()) {
      terminal.err().print(ERASE_LINE);
      terminal.err().flush();
    }
  }
}
