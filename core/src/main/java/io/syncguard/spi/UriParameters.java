package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How values are written in the parameters of a store's URI, the same for every store. */
public final class UriParameters {

  private static final Pattern NAMED = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]{0,39})=[^@]*");

  private UriParameters() {}

  /**
   * Returns what to fail with for a parameter that no store knows. It names the parameter, unless
   * that may be a part of a password with a question mark in it.
   *
   * @param store whose URI it is, such as {@code Redis}
   * @param parameter as it stands in the URI, with or without a value
   * @param known the parameters that there are, as a message lists them
   */
  public static SyncGuardException unknown(String store, String parameter, String known) {
    Matcher named = NAMED.matcher(parameter);
    return SyncGuardException.invalidArgument(
        "The "
            + store
            + " URI has "
            + (named.matches() ? "an unknown parameter, " + named.group(1) : "an unknown parameter")
            + "; known are "
            + known);
  }

  /**
   * Returns the time that a parameter says, as {@link TimeText} has it.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT, naming the parameter, if it says none
   */
  public static Duration duration(String name, String value) {
    return TimeText.parse(value)
        .orElseThrow(() -> SyncGuardException.invalidArgument(name + " is " + TimeText.FORM));
  }
}
