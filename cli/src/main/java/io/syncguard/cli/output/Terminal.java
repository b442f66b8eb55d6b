package io.syncguard.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Set;

/** Where the command writes, and whether a person is looking. */
public final class Terminal {

  /** Set by the launcher to the digits of those of 0, 1 and 2 that are a terminal. */
  private static final String TERMINALS = "syncguard.terminals";

  /** Set by the launcher to the digits of those that are closed. */
  private static final String CLOSED = "syncguard.closed";

  public enum Colour {
    GREEN("32"),
    YELLOW("33"),
    RED("31"),
    BOLD("1"),
    FAINT("2");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }

  private final Output out = new Output(System.getProperty(CLOSED, "").indexOf('1') >= 0);
  private final PrintStream err =
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
  private final String terminals;

  public Terminal() {
    this.terminals = System.getProperty(TERMINALS, "");
  }

  public Output out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  public boolean isInput() {
    return terminals.indexOf('0') >= 0;
  }

  /** Returns whether input is a terminal, or may be one because there is no launcher to tell. */
  public boolean mayBeInput() {
    return isInput() || System.getProperty(TERMINALS) == null;
  }

  public boolean isOutput() {
    return terminals.indexOf('1') >= 0;
  }

  public boolean isErrors() {
    return terminals.indexOf('2') >= 0;
  }

  /** Returns the text with escapes for what would make a terminal do something. */
  public static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                printable.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                printable.appendCodePoint(c);
              }
            });
    return printable.toString();
  }

  /** Blocks for an answer at the terminal; no answer is no. */
  public boolean asksYes(String question) throws IOException {
    err.print(question);
    err.flush();
    StringBuilder answer = new StringBuilder();
    for (int c = System.in.read(); c >= 0 && c != '\n'; c = System.in.read()) {
      answer.append((char) c);
    }
    return Set.of("y", "yes").contains(answer.toString().strip().toLowerCase(Locale.ROOT));
  }

  /** Returns whether output is coloured: on a terminal, unless NO_COLOR says otherwise. */
  public boolean hasColour() {
    String refused = System.getenv("NO_COLOR");
    return isOutput() && (refused == null || refused.isEmpty());
  }

  public String coloured(Colour colour, String text) {
    return hasColour() ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
  }
}
