package io.syncguard.spi;

import io.syncguard.telemetry.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What an answer means.
 *
 * @param isBegun whether anything was begun; if not, there is nothing to report
 * @param isDone whether what was asked was done; for a question, whether the answer is yes
 * @param reason why it was not
 */
public record Outcome(boolean isBegun, boolean isDone, @Nullable Reason reason) {

  /** What was asked was done. */
  public static final Outcome DONE = new Outcome(true, true, null);

  /** The answer to a question is no. */
  public static final Outcome NO = new Outcome(true, false, null);

  /** Nothing was begun, so that there is nothing to report. */
  public static final Outcome NOTHING_BEGUN = new Outcome(false, false, null);

  /** It was not done. */
  public static Outcome not(Reason reason) {
    return new Outcome(true, false, reason);
  }

  /** It was done, or was not for this reason. */
  public static Outcome of(boolean isDone, Reason otherwise) {
    return isDone ? DONE : not(otherwise);
  }
}
