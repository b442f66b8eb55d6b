package io.syncguard.telemetry;

import java.time.Duration;

/**
 * A lock or a permit that is held no more. A loss is told at once, when this process finds out.
 *
 * @param subject what was held
 * @param end how that ended
 * @param elapsed how long it was held
 */
public record HoldEvent(EventSubject subject, End end, Duration elapsed) implements Event {

  /** How holding something ended. */
  public enum End {
    /** Its holder released it. */
    RELEASED("released"),
    /** It was lost before its holder released it. */
    LOST("lost"),
    /** Its holder let go of it, but the store could not be asked in time. */
    IN_DOUBT("in-doubt");

    private final String label;

    End(String label) {
      this.label = label;
    }

    /** Returns the name for metrics and logs. */
    public String label() {
      return label;
    }
  }
}
