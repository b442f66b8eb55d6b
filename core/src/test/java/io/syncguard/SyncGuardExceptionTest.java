package io.syncguard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.ResourceKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyncGuardExceptionTest {

  private static final String KEY = "patient:4711";
  private static final String LOCK_ID = "abcdefghijklmnopqrstuw";
  private static final Subject SUBJECT = Subject.ofLock(KEY, LOCK_ID);
  private static final Set<Code> TRANSIENT =
      EnumSet.of(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT, Code.RATE_LIMITED);

  @Test
  void thereAreTheCodesOfTheSpecification() {
    assertThat(Code.values())
        .extracting(Code::name)
        .containsExactlyInAnyOrder(
            "SERVICE_UNAVAILABLE",
            "AUTH_FAILED",
            "INVALID_ARGUMENT",
            "RATE_LIMITED",
            "NETWORK_TIMEOUT",
            "ACQUISITION_TIMEOUT",
            "ABORTED",
            "LOCK_LOST",
            "INTERNAL");
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatMayPassIsTransient(Code code) {
    assertThat(new SyncGuardException(code, "planted").isTransient())
        .isEqualTo(TRANSIENT.contains(code));
  }

  @Test
  void itsSubjectTellsTheRawIdentifiersAndItsTextDoesNot() {
    SyncGuardException failure = new SyncGuardException(Code.INTERNAL, "planted", SUBJECT, null);

    assertThat(failure.subject()).isEqualTo(SUBJECT);
    assertThat(failure.toString()).doesNotContain(KEY, LOCK_ID);
  }

  @Test
  void itsTextShowsTheCode() {
    assertThat(new SyncGuardException(Code.AUTH_FAILED, "planted"))
        .hasToString("io.syncguard.SyncGuardException [AUTH_FAILED]: planted");
  }

  @Test
  void whatIsClosedStaysClosedAndIsNotTriedAgain() {
    SyncGuardException failure = SyncGuardException.closed("planted", null);

    assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(failure.isTransient()).isFalse();
    assertThat(failure.isOutcomeUnknown()).isFalse();
  }

  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void rawKeysAreShownOnRequestButIdsNever() {
    System.setProperty("syncguard.rawKeys", "true");
    try {
      SyncGuardException failure = new SyncGuardException(Code.INTERNAL, "m", SUBJECT, null);

      assertThat(failure.toString()).contains(KEY).doesNotContain(LOCK_ID);
      assertThat(ResourceKey.of(KEY).toString()).contains(KEY);
    } finally {
      System.clearProperty("syncguard.rawKeys");
    }
  }

  @Test
  void theOutcomeIsKnownUnlessSaidOtherwise() {
    IllegalStateException cause = new IllegalStateException("planted");
    SyncGuardException known = new SyncGuardException(Code.NETWORK_TIMEOUT, "m", SUBJECT, cause);
    SyncGuardException unknown =
        SyncGuardException.withUnknownOutcome(Code.NETWORK_TIMEOUT, "m", SUBJECT, cause);

    assertThat(known.isOutcomeUnknown()).isFalse();
    assertThat(unknown.isOutcomeUnknown()).isTrue();
    assertThat(unknown).hasMessage("m").hasCause(cause);
  }

  @Test
  void itIsTheSameFailureWithTheStackOfTheThreadThatItMattersTo() {
    SyncGuardException unknown =
        SyncGuardException.withUnknownOutcome(Code.NETWORK_TIMEOUT, "m", SUBJECT, null);

    SyncGuardException here = unknown.fromHere();

    assertThat(here).hasMessage("m").hasCause(unknown);
    assertThat(here.code()).isEqualTo(Code.NETWORK_TIMEOUT);
    assertThat(here.subject()).isEqualTo(SUBJECT);
    assertThat(here.isOutcomeUnknown()).isTrue();
    assertThat(SyncGuardException.closed("m", null).fromHere().isTransient()).isFalse();
  }

  @Test
  void serialisationDropsTheRawIdentifiersAndKeepsTheRest() throws Exception {
    byte[] bytes =
        serialised(
            SyncGuardException.withUnknownOutcome(
                Code.NETWORK_TIMEOUT, "no answer", SUBJECT, new IllegalStateException("why")));
    assertThat(new String(bytes, ISO_8859_1))
        .contains("no answer")
        .doesNotContain(KEY)
        .doesNotContain(LOCK_ID);

    SyncGuardException read = deserialised(bytes);

    assertThat(read.code()).isEqualTo(Code.NETWORK_TIMEOUT);
    assertThat(read.isOutcomeUnknown()).isTrue();
    assertThat(read).hasMessage("no answer").hasRootCauseMessage("why");
    assertThat(read.subject()).isEqualTo(Subject.NONE);
  }

  private static byte[] serialised(SyncGuardException failure) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    return bytes.toByteArray();
  }

  private static SyncGuardException deserialised(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (SyncGuardException) in.readObject();
    }
  }
}
