package io.syncguard.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How durations are written on the command line, and how they are shown. */
final class Durations implements ITypeConverter<Duration> {

  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?");

  @Override
  public Duration convert(String text) {
    Matcher written = WRITTEN.matcher(text.toLowerCase(Locale.ROOT));
    if (!written.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no duration; write seconds, or 500ms, 30s, 5m, 2h, 7d");
    }
    long amount = Long.parseLong(written.group(1));
    return switch (written.group(2) == null ? "s" : written.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofSeconds(amount);
    };
  }

  /** Returns the two greatest units of it, such as 2h 5m or 1.250s. */
  static String show(Duration duration) {
    if (duration.isNegative()) {
      return "0s";
    }
    if (duration.toDays() > 0) {
      return duration.toDays() + "d " + duration.toHoursPart() + "h";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h " + duration.toMinutesPart() + "m";
    }
    if (duration.toMinutes() > 0) {
      return duration.toMinutes() + "m " + duration.toSecondsPart() + "s";
    }
    return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
  }
}
