package io.syncguard.spi;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a time is written as text, wherever it is: in a URI, on the command line. A number always has
 * its unit, so that the same text means the same time everywhere; only zero needs none.
 */
public final class TimeText {

  /** What a message says of a text that is none. */
  public static final String FORM = "a number with a unit, like 500ms, 30s, 5m, 2h or 7d";

  private static final Pattern WRITTEN = Pattern.compile("0|(\\d{1,9})(ms|s|m|h|d)");

  private TimeText() {}

  /** Returns the time; empty if the text is none. */
  public static Optional<Duration> parse(String text) {
    Matcher written = WRITTEN.matcher(text.toLowerCase(Locale.ROOT));
    if (!written.matches()) {
      return Optional.empty();
    }
    if (written.group(1) == null) {
      return Optional.of(Duration.ZERO);
    }
    long amount = Long.parseLong(written.group(1));
    return Optional.of(
        switch (written.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        });
  }
}
