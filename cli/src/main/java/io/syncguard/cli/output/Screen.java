package io.syncguard.cli.output;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;

/** Where a listing goes: one line after the other, or over and over onto the same terminal. */
public final class Screen {

  private static final int USUAL_HEIGHT = 24;
  private static final String TO_THE_TOP = "\u001b[H";
  private static final String ERASE_REST_OF_LINE = "\u001b[K";
  private static final String ERASE_REST = "\u001b[J";
  private static final String ERASE_ALL = "\u001b[2J";

  private final Output out;
  private final boolean inPlace;
  private final int height;
  private int lines;

  private Screen(Output out, boolean inPlace, int height) {
    this.out = out;
    this.inPlace = inPlace;
    this.height = height;
  }

  public static Screen endless(Terminal terminal) {
    return new Screen(terminal.out(), false, Integer.MAX_VALUE);
  }

  /** The screen of the terminal, which each {@link #begin} fills anew. */
  public static Screen refreshed(Terminal terminal) {
    terminal.out().print(ERASE_ALL);
    return new Screen(terminal.out(), true, heightOfTerminal());
  }

  /** The last line is for the cursor, and the one before for what there is no room for. */
  public boolean hasRoom() {
    return lines < height - 2;
  }

  public void begin() {
    lines = 0;
    if (inPlace) {
      out.print(TO_THE_TOP);
    }
  }

  public void print(String line) {
    lines++;
    out.println(inPlace ? line + ERASE_REST_OF_LINE : line);
    out.check();
  }

  public void end() {
    if (inPlace) {
      out.print(ERASE_REST);
      out.flush();
    }
  }

  private static int heightOfTerminal() {
    try {
      Process stty =
          new ProcessBuilder("sh", "-c", "stty size </dev/tty")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size = new String(stty.getInputStream().readAllBytes(), US_ASCII);
      int rows = Integer.parseInt(size.substring(0, Math.max(0, size.indexOf(' '))));
      return rows > 2 ? rows : USUAL_HEIGHT;
    } catch (IOException | NumberFormatException e) {
      return USUAL_HEIGHT;
    }
  }
}
