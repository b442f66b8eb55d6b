package io.syncguard.telemetry;

/** Whether an operation did what was asked. */
public enum Result {
  /** It did; for a question, the answer was yes. */
  OK("ok"),
  /** It did not, or it failed; for a question, the answer was no. */
  FAIL("fail");

  private final String label;

  Result(String label) {
    this.label = label;
  }

  /** Returns the name that SyncGuard clients in every language use. */
  public String label() {
    return label;
  }
}
