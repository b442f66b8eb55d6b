package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.testkit.history.HandOffHistory;
import io.syncguard.testkit.history.HandOffHistory.Passage;
import org.junit.jupiter.api.Test;

/** The checker finds what is wrong, and nothing else. */
class HandOffHistoryTest {

  @Test
  void holdsOneAfterAnotherAreFine() {
    assertFine(1, passage(0, 1, 1, 5), passage(2, 3, 7, 9), passage(8, 9, 11, 12));
  }

  @Test
  void asManyAtOnceAsTheLimitAllowsAreFine() {
    assertFine(2, passage(0, 1, 1, 9), passage(2, 3, 3, 9));
  }

  @Test
  void moreAtOnceThanTheLimitAllowsAreFound() {
    assertBroken(1, passage(0, 1, 1, 5), passage(2, 3, 4, 9));
    assertBroken(2, passage(0, 1, 1, 9), passage(2, 3, 3, 9), passage(4, 5, 5, 9));
  }

  @Test
  void whoeverIsServedBeforeSomebodyWhoCameFirstIsFound() {
    // a holds; b came before c, but c is served first and b after it.
    assertBroken(1, passage(0, 1, 1, 10), passage(2, 3, 30, 35), passage(4, 5, 12, 20));
  }

  @Test
  void anInversionAmongSeveralSlotsIsFound() {
    // a and b hold on; c came before d, d and then e are served in the slot that was c's.
    assertBroken(
        2,
        passage(0, 1, 1, 100),
        passage(2, 3, 3, 10),
        passage(4, 5, 60, 70),
        passage(6, 7, 12, 20),
        passage(8, 9, 22, 30));
  }

  @Test
  void thoseWhoCameAtTheSameTimeMayBeServedInEitherOrder() {
    assertFine(1, passage(0, 1, 1, 10), passage(2, 5, 30, 35), passage(4, 6, 12, 20));
  }

  @Test
  void whoeverIsSlowToNoticeItsSlotIsNotTakenForAnInversion() {
    // b was granted the second slot before c got the first, but learned of it later.
    assertFine(
        2, passage(0, 1, 1, 8), passage(0, 1, 1, 9), passage(2, 3, 15, 16), passage(4, 5, 12, 20));
  }

  @Test
  void ticketsTellTheOrderOfThoseWhoCameAtTheSameTime() {
    Passage holding = passage(0, 1, 1, 10);
    Passage first = new Passage(7, 1, 1, 0, 2, 5, 30, 35);
    Passage second = new Passage(8, 1, 1, 0, 2, 5, 12, 20);
    assertBroken(1, holding, first, second);
    Passage firstInTurn = new Passage(7, 1, 1, 0, 2, 5, 12, 20);
    Passage secondInTurn = new Passage(8, 1, 1, 0, 2, 5, 30, 35);
    assertFine(1, holding, firstInTurn, secondInTurn);
  }

  @Test
  void aSmallTicketOfSomebodyWhoCameLaterIsNoInversion() {
    assertFine(1, new Passage(9, 1, 1, 0, 0, 1, 2, 5), new Passage(8, 1, 1, 0, 7, 8, 9, 12));
  }

  @Test
  void moreSlotsThanTheLimitAllowsAreFoundHoweverShortTheHolds() {
    assertBroken(2, new Passage(0, 0, 2, 0, 0, 1, 1, 2), new Passage(0, 0, 3, 0, 4, 5, 5, 6));
  }

  @Test
  void itTellsOvershootsFromInversions() {
    HandOffHistory tooMany = history(1, passage(0, 1, 1, 5), passage(2, 3, 4, 9));
    assertThat(tooMany.findings().overshoots()).isEqualTo(1);
    assertThat(tooMany.findings().inversions()).isZero();
    HandOffHistory outOfOrder =
        history(1, new Passage(8, 1, 1, 0, 0, 1, 2, 5), new Passage(7, 1, 1, 0, 0, 1, 7, 9));
    assertThat(outOfOrder.findings().overshoots()).isZero();
    assertThat(outOfOrder.findings().inversions()).isEqualTo(1);
  }

  @Test
  void fencesThatDoNotIncreaseAreFound() {
    Passage first = new Passage(0, 0, 0, 7, 0, 1, 2, 5);
    assertFine(1, first, new Passage(0, 0, 0, 8, 6, 7, 8, 9));
    HandOffHistory repeated = history(1, first, new Passage(0, 0, 0, 7, 6, 7, 8, 9));
    assertThat(repeated.findings().fencesOutOfOrder()).isEqualTo(1);
    assertThatThrownBy(repeated::check).hasMessageContaining("The fence did not increase");
  }

  @Test
  void itCountsThoseWhoWaited() {
    HandOffHistory history =
        history(1, new Passage(0, 0, 1, 0, 0, 1, 1, 5), new Passage(1, 1, 1, 0, 2, 3, 7, 9));
    assertThat(history.size()).isEqualTo(2);
    assertThat(history.waited()).isEqualTo(1);
  }

  private static Passage passage(long askedAt, long joinedAt, long acquiredAt, long releasedAt) {
    return new Passage(0, 0, 1, 0, askedAt, joinedAt, acquiredAt, releasedAt);
  }

  private static HandOffHistory history(int limit, Passage... passages) {
    HandOffHistory history = new HandOffHistory(limit);
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
