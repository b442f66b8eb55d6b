package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a call fails with. */
public final class Failure {

  private Failure() {}

  /** Returns the failure of a call that must fail with this code. */
  public static SyncGuardException of(SyncGuardException.Code code, ThrowingCallable call) {
    SyncGuardException failure = catchThrowableOfType(SyncGuardException.class, call);
    assertThat(failure).as("a failure with code %s", code).isNotNull();
    assertThat(failure.code()).isEqualTo(code);
    return failure;
  }

  /** Returns the failure of a call whose argument must be refused. */
  public static SyncGuardException ofBadArgument(ThrowingCallable call) {
    return of(SyncGuardException.Code.INVALID_ARGUMENT, call);
  }
}
