package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.testkit.history.SemaphoreHistory;
import io.syncguard.testkit.history.SemaphoreHistory.Passage;
import org.junit.jupiter.api.Test;

/** The checker finds what is wrong, and nothing else. */
class SemaphoreHistoryTest {

  @Test
  void holdsOneAfterAnotherAreFine() {
    assertFine(1, passage("a", 0, 1, 1, 5), passage("b", 2, 3, 7, 9), passage("c", 8, 9, 11, 12));
  }

  @Test
  void asManyAtOnceAsTheLimitAllowsAreFine() {
    assertFine(2, passage("a", 0, 1, 1, 9), passage("b", 2, 3, 3, 9));
  }

  @Test
  void moreAtOnceThanTheLimitAllowsAreFound() {
    assertBroken(1, passage("a", 0, 1, 1, 5), passage("b", 2, 3, 4, 9));
    assertBroken(2, passage("a", 0, 1, 1, 9), passage("b", 2, 3, 3, 9), passage("c", 4, 5, 5, 9));
  }

  @Test
  void whoeverIsServedBeforeSomebodyWhoCameFirstIsFound() {
    // a holds; b came before c, but c is served first and b after it.
    assertBroken(
        1, passage("a", 0, 1, 1, 10), passage("b", 2, 3, 30, 35), passage("c", 4, 5, 12, 20));
  }

  @Test
  void anInversionAmongSeveralSlotsIsFound() {
    // a and b hold on; c came before d, d and then e are served in the slot that was c's.
    assertBroken(
        2,
        passage("a", 0, 1, 1, 100),
        passage("b", 2, 3, 3, 10),
        passage("c", 4, 5, 60, 70),
        passage("d", 6, 7, 12, 20),
        passage("e", 8, 9, 22, 30));
  }

  @Test
  void thoseWhoCameAtTheSameTimeMayBeServedInEitherOrder() {
    assertFine(
        1, passage("a", 0, 1, 1, 10), passage("b", 2, 5, 30, 35), passage("c", 4, 6, 12, 20));
  }

  @Test
  void whoeverIsSlowToNoticeItsSlotIsNotTakenForAnInversion() {
    // b was granted the second slot before c got the first, but learned of it later.
    assertFine(
        2,
        passage("a", 0, 1, 1, 8),
        passage("x", 0, 1, 1, 9),
        passage("b", 2, 3, 15, 16),
        passage("c", 4, 5, 12, 20));
  }

  @Test
  void itCountsThoseWhoWaited() {
    SemaphoreHistory history = history(1, passage("a", 0, 1, 1, 5), passage("b", 2, 3, 7, 9));
    assertThat(history.size()).isEqualTo(2);
    assertThat(history.waited()).isEqualTo(1);
  }

  private static Passage passage(
      String who, long askedAt, long joinedAt, long acquiredAt, long releasedAt) {
    return new Passage(who, askedAt, joinedAt, acquiredAt, releasedAt);
  }

  private static SemaphoreHistory history(int limit, Passage... passages) {
    SemaphoreHistory history = new SemaphoreHistory(limit);
    for (Passage passage : passages) {
      history.add(passage);
    }
    return history;
  }

  private static void assertFine(int limit, Passage... passages) {
    assertThatCode(() -> history(limit, passages).check()).doesNotThrowAnyException();
  }

  private static void assertBroken(int limit, Passage... passages) {
    assertThatThrownBy(() -> history(limit, passages).check())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("More than " + limit);
  }
}
