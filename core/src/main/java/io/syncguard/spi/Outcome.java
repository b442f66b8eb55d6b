package io.syncguard.spi;

import io.syncguard.telemetry.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What an answer means.
 *
 * @param isDone whether what was asked was done; for a question, whether the answer is yes
 * @param reason why it was not
 */
public record Outcome(boolean isDone, @Nullable Reason reason) {

  /** What was asked was done. */
  public static final Outcome DONE = new Outcome(true, null);

  /** The answer to a question is no. */
  public static final Outcome NO = new Outcome(false, null);

  /** It was not done. */
  public static Outcome not(Reason reason) {
    return new Outcome(false, reason);
  }

  /** It was done, or was not for this reason. */
  public static Outcome of(boolean isDone, Reason otherwise) {
    return isDone ? DONE : not(otherwise);
  }
}
