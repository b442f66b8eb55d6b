package io.syncguard.postgresql.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.spi.Call;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What each SQLSTATE means, and whether it leaves the outcome in doubt. */
class PostgresFailuresTest {

  private static final Subject SUBJECT = Subject.ofLock("the raw key", null);
  private static final SqlCall CALL = SqlCall.of(SUBJECT, Call.plain());

  @ParameterizedTest
  @CsvSource({
    "08000, SERVICE_UNAVAILABLE, true",
    "08003, SERVICE_UNAVAILABLE, true",
    "08006, SERVICE_UNAVAILABLE, true",
    "08P01, SERVICE_UNAVAILABLE, true",
    "08004, AUTH_FAILED, false",
    "0A000, INTERNAL, false",
    "22001, INVALID_ARGUMENT, false",
    "22P05, INVALID_ARGUMENT, false",
    "23502, INVALID_ARGUMENT, false",
    "23505, INVALID_ARGUMENT, false",
    "25006, SERVICE_UNAVAILABLE, false",
    "26000, INVALID_ARGUMENT, false",
    "28000, AUTH_FAILED, false",
    "28P01, AUTH_FAILED, false",
    "3D000, INVALID_ARGUMENT, false",
    "3F000, INVALID_ARGUMENT, false",
    "40001, SERVICE_UNAVAILABLE, false",
    "40003, SERVICE_UNAVAILABLE, true",
    "40P01, SERVICE_UNAVAILABLE, false",
    "42501, AUTH_FAILED, false",
    "42703, INVALID_ARGUMENT, false",
    "42883, INVALID_ARGUMENT, false",
    "42P01, INVALID_ARGUMENT, false",
    "42P05, INVALID_ARGUMENT, false",
    "42601, INTERNAL, false",
    "53100, SERVICE_UNAVAILABLE, false",
    "53200, SERVICE_UNAVAILABLE, false",
    "53300, SERVICE_UNAVAILABLE, false",
    "54000, SERVICE_UNAVAILABLE, false",
    "55P03, SERVICE_UNAVAILABLE, false",
    "57014, NETWORK_TIMEOUT, false",
    "57P01, SERVICE_UNAVAILABLE, true",
    "57P02, SERVICE_UNAVAILABLE, true",
    "57P03, SERVICE_UNAVAILABLE, true",
    "57P05, SERVICE_UNAVAILABLE, true",
    "58030, SERVICE_UNAVAILABLE, false",
    "XX000, INTERNAL, false",
    "XX001, INTERNAL, false"
  })
  void aStateHasACode(String state, Code code, boolean inDoubt) {
    SQLException failure = new SQLException("no", state);
    assertThat(PostgresFailures.whileRunning(failure, CALL))
        .returns(code, SyncGuardException::code)
        .returns(inDoubt, SyncGuardException::isOutcomeUnknown)
        .hasMessageContaining(state.equals("57014") ? "too long" : state)
        .hasCause(failure);
  }

  @ParameterizedTest
  @CsvSource({
    "08001, SERVICE_UNAVAILABLE",
    "08004, AUTH_FAILED",
    "28P01, AUTH_FAILED",
    "3D000, INVALID_ARGUMENT",
    "53300, SERVICE_UNAVAILABLE",
    "57P03, SERVICE_UNAVAILABLE"
  })
  void connectingNeverLeavesInDoubt(String state, Code code) {
    Exception wrapped = new IllegalStateException(new SQLException("no", state));
    assertThat(PostgresFailures.whileConnecting(wrapped, CALL))
        .returns(code, SyncGuardException::code)
        .returns(false, SyncGuardException::isOutcomeUnknown);
  }

  /** As the server sends it: each field has a letter, its text and a zero. */
  @ParameterizedTest
  @CsvSource({
    "get_relation_info, SERVICE_UNAVAILABLE, replica",
    "RevalidateCachedQuery, INTERNAL, (the words)"
  })
  void onlyAReplicaIsCalledOne(String where, Code code, String explanation) {
    ServerErrorMessage message =
        new ServerErrorMessage("SERROR\0C0A000\0Mthe words\0R" + where + "\0");
    assertThat(PostgresFailures.whileRunning(new PSQLException(message), CALL))
        .returns(code, SyncGuardException::code)
        .hasMessageContaining(explanation)
        .satisfies(
            e -> assertThat(e.getMessage().contains("replica")).isEqualTo(code != Code.INTERNAL));
  }

  @Test
  void noReplyInTimeLeavesInDoubt() {
    SQLException failure = new SQLException("no", "08006", new SocketTimeoutException());
    assertThat(PostgresFailures.whileRunning(failure, CALL))
        .returns(Code.NETWORK_TIMEOUT, SyncGuardException::code)
        .returns(true, SyncGuardException::isOutcomeUnknown);
  }

  @Test
  void whatWasCancelledIsAborted() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    SqlCall cancelled = SqlCall.of(SUBJECT, Call.of(signal));
    assertThat(PostgresFailures.whileRunning(new SQLException("no", "57014"), cancelled))
        .returns(Code.ABORTED, SyncGuardException::code)
        .returns(false, SyncGuardException::isOutcomeUnknown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4", "oops, a text"})
  void aDriverThatGivesNoStateLeavesInDoubt(String state) {
    assertThat(PostgresFailures.whileRunning(new SQLException("no", state), CALL))
        .returns(Code.INTERNAL, SyncGuardException::code)
        .returns(true, SyncGuardException::isOutcomeUnknown);
  }

  @Test
  void noMessageRepeatsTheKey() {
    assertThat(PostgresFailures.whileRunning(new SQLException("no", "XX000"), CALL).toString())
        .doesNotContain("the raw key");
  }
}
