package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How values are written in the parameters of a store's URI, the same for every store. */
public final class UriParameters {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)?");

  private UriParameters() {}

  /**
   * Returns a duration that is written as milliseconds, or like 500ms, 2s or 1m.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT, naming the parameter, if it is not
   */
  public static Duration duration(String name, String value) {
    Matcher matcher = DURATION.matcher(value.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw SyncGuardException.invalidArgument(
          name + " is a number of milliseconds, or like 500ms, 2s or 1m");
    }
    long amount = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
    return switch (unit) {
      case "m" -> Duration.ofMinutes(amount);
      case "s" -> Duration.ofSeconds(amount);
      default -> Duration.ofMillis(amount);
    };
  }
}
