package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class SubjectTest {

  private static final String NAME = "patient:4711";
  private static final String ID = "abcdefghijklmnopqrst_-";

  /** What sha256sum says of the id, its first 24 digits. */
  private static final String BEARER_HASH = "1df1b27f8978206d4f816c64";

  @Test
  void aLockIsShownByTheHashesThatOtherLanguagesKnow() {
    Subject lock = Subject.ofLock(NAME, ID);
    assertThat(lock.nameHash()).isEqualTo(KeyHash.of(NAME));
    assertThat(lock.idHash()).isEqualTo(KeyHash.of(ID));
    assertThat(lock)
        .hasToString(
            "Subject[lock, nameHash=" + KeyHash.of(NAME) + ", idHash=" + KeyHash.of(ID) + "]");
  }

  @Test
  void anIdThatAloneOpensOrFreesSomethingIsShownByItsSha256() {
    assertThat(Subject.ofSemaphore(NAME, ID).idHash()).isEqualTo(BEARER_HASH);
    assertThat(Subject.ofSemaphore(NAME, ID))
        .hasToString(
            "Subject[semaphore, nameHash=" + KeyHash.of(NAME) + ", idHash=" + BEARER_HASH + "]");
    assertThat(Subject.ofSecret(ID)).hasToString("Subject[secret, idHash=" + BEARER_HASH + "]");
  }

  @Test
  void whatHasNoIdShowsTheHashOfItsName() {
    assertThat(Subject.ofCounter(NAME))
        .hasToString("Subject[counter, nameHash=" + KeyHash.of(NAME) + "]");
    assertThat(Subject.ofRateLimiter(NAME))
        .hasToString("Subject[rate-limiter, nameHash=" + KeyHash.of(NAME) + "]");
  }

  @Test
  void whatIsNotThereHasNoHash() {
    assertThat(Subject.NONE.nameHash()).isNull();
    assertThat(Subject.NONE.idHash()).isNull();
    assertThat(Subject.NONE).hasToString("Subject[none]");
    assertThat(Subject.ofLock(null, null)).hasToString("Subject[lock]");
  }

  @Test
  void theRawIdentifiersAreThereForThoseWhoAsk() {
    assertThat(Subject.ofLock(NAME, ID).name()).isEqualTo(NAME);
    assertThat(Subject.ofLock(NAME, ID).id()).isEqualTo(ID);
  }

  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void rawNamesAreShownOnRequestButIdsNever() {
    System.setProperty("syncguard.rawKeys", "true");
    try {
      assertThat(Subject.ofLock(NAME, ID).toString())
          .contains(NAME, KeyHash.of(NAME), KeyHash.of(ID))
          .doesNotContain(ID);
      assertThat(Subject.ofSemaphore(NAME, ID).toString())
          .contains(NAME, BEARER_HASH)
          .doesNotContain(ID);
    } finally {
      System.clearProperty("syncguard.rawKeys");
    }
  }
}
