package io.syncguard.redis;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while this is open, which slf4j-simple writes to {@link System#err}. */
public final class LogCapture implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  public LogCapture() {
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
  }

  /** Returns at once the warnings of SyncGuard so far. */
  public List<String> warnings() {
    return warnings("io.syncguard");
  }

  /** Returns at once the warnings so far of what the tests let the driver log. */
  public List<String> driversWarnings() {
    return warnings("io.lettuce");
  }

  private List<String> warnings(String logger) {
    return captured
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("WARN " + logger))
        .toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
