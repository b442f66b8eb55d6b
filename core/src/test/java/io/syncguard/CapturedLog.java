package io.syncguard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** What is logged while this is open: slf4j-simple writes to the standard error stream. */
public final class CapturedLog implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private CapturedLog() {}

  /** Starts capturing. */
  public static CapturedLog open() {
    CapturedLog log = new CapturedLog();
    System.setErr(new PrintStream(log.written, true, UTF_8));
    return log;
  }

  /** Returns what was logged up to now. */
  public String text() {
    return written.toString(UTF_8);
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
