package io.syncguard.firestore;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirestoreUriTest {

  private static FirestoreUri parse(String uri) {
    return FirestoreUri.parse(uri, FirestoreStoreOptions.defaults());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"firestore://my-project", "firestore://my-project/", "FIRESTORE://my-project"})
  void withoutADatabaseItIsTheDefaultOne(String uri) {
    FirestoreUri parsed = parse(uri);
    assertThat(parsed.project()).isEqualTo("my-project");
    assertThat(parsed.database()).isEqualTo("(default)");
    assertThat(parsed.emulator()).isNull();
    assertThat(parsed.options().locksCollection()).isEqualTo("locks");
    assertThat(parsed.options().fencesCollection()).isEqualTo("fence_counters");
    assertThat(parsed.options().timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(parsed.options().cleanupInIsLocked()).isFalse();
  }

  @Test
  void everythingCanBeSaid() {
    FirestoreUri parsed =
        parse(
            "firestore://example.com:p1/orders?locksCollection=my%20locks&fencesCollection=f"
                + "&timeout=2s&cleanupInIsLocked=true&emulator=localhost:8080");
    assertThat(parsed.project()).isEqualTo("example.com:p1");
    assertThat(parsed.database()).isEqualTo("orders");
    assertThat(parsed.emulator()).isEqualTo("localhost:8080");
    assertThat(parsed.options().locksCollection()).isEqualTo("my locks");
    assertThat(parsed.options().fencesCollection()).isEqualTo("f");
    assertThat(parsed.options().timeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(parsed.options().cleanupInIsLocked()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "firestore:",
        "firestore://",
        "firestore:///database",
        "firestore://user:s3cret@project",
        "firestore://project/a/b",
        "firestore://project?wrong=s3cret",
        "firestore://project?timeout=s3cret",
        "firestore://project?timeout=0",
        "firestore://project?emulator=s3cret",
        "firestore://project?cleanupInIsLocked=s3cret",
        "firestore://project?locksCollection=%s3cret",
        "firestore://project?locksCollection=a/s3cret",
        "firestore://project?locksCollection=__x__",
        "firestore://project?locksCollection=..",
        "firestore://project?locksCollection=",
        "firestore://project?locksCollection=fence_counters"
      })
  void whatCannotBeReadIsRefusedAndNotRepeated(String uri) {
    assertThat(assertFails(Code.INVALID_ARGUMENT, () -> parse(uri)).getMessage())
        .doesNotContain("s3cret");
  }
}
