package io.syncguard.cli.output;

import io.syncguard.spi.TimeText;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How times on the command line are read, and how they are shown. */
public final class Durations implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    return TimeText.parse(text)
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' is no time; write " + TimeText.FORM));
  }

  /** Returns the two greatest units of it, such as 2h 5m or 1.250s. */
  public static String show(Duration duration) {
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
