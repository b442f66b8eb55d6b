package io.syncguard.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.CapturedLog;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.Gate;
import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReleasesTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HandMovedTime time = new HandMovedTime(Long.MAX_VALUE - 1_000_000_000L);
  private final Gate gate = new Gate();
  private final AskedStore store = new AskedStore();
  private final Releases<String, String> releases = new Releases<>(store, time, TIMEOUT, gate);

  @Test
  void aReleaseGoesOnForItsWholeTimeout() {
    store.failing = true;
    long before = time.nanoTime();

    assertThatThrownBy(() -> releases.now("a", HOUR)).isInstanceOf(SyncGuardException.class);

    assertThat(Duration.ofNanos(time.nanoTime() - before))
        .isBetween(Duration.ofMillis(4900), TIMEOUT);
  }

  @Test
  void anAsynchronousReleaseGoesOnForItsWholeTimeout() {
    store.failing = true;
    CompletableFuture<String> result = releases.async("a", HOUR).toCompletableFuture();

    time.move(Duration.ofMillis(4900));
    assertThat(result).isNotDone();
    time.move(Duration.ofMillis(100));
    assertThat(result).isCompletedExceptionally();
  }

  @Test
  void aTimeoutTooShortForTheStoreEndsWithTheCallersWait() {
    Releases<String, String> hurried = new Releases<>(store, time, Duration.ofMillis(1), gate);
    store.held.add("a");
    store.slowest = Duration.ofSeconds(1);

    assertThatThrownBy(() -> hurried.now("a", HOUR)).isInstanceOf(SyncGuardException.class);

    assertThat(store.held).isEmpty();
  }

  @Test
  void anAbandonedAcquisitionIsNotPolledForItsWholeLife() {
    releases.afterAbandonedAcquisition("a", HOUR);
    time.move(HOUR);
    assertThat(store.asked).containsExactly("a", "a");
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void anAbandonedAcquisitionThatArrivesLateIsReleased() {
    releases.afterAbandonedAcquisition("a", HOUR);
    store.held.add("a");
    time.move(PendingRelease.SHORTEST_SETTLING);
    assertThat(store.held).isEmpty();
  }

  @Test
  void afterALongSilenceAnAcquisitionMayArriveAsMuchLater() {
    Duration silence = Duration.ofSeconds(40);
    store.failing = true;
    releases.afterAbandonedAcquisition("a", HOUR);
    time.move(silence);
    store.failing = false;
    time.move(silence.dividedBy(2));
    int askedBefore = store.asked.size();
    store.held.add("a");

    time.move(silence);

    assertThat(store.held).isEmpty();
    assertThat(store.asked).hasSize(askedBefore + 1);
  }

  @Test
  void whatIsReleasedIsAskedForOnce() {
    store.held.add("a");
    releases.afterAbandonedAcquisition("a", HOUR);
    releases.inBackground("b", HOUR);
    time.move(HOUR);
    assertThat(store.asked).containsExactly("a", "b");
  }

  @Test
  void aStoreThatIsAwayIsAskedByOneAtATimeAndMetInBatches() {
    store.failing = true;
    for (int i = 0; i < 1000; i++) {
      releases.afterAbandonedAcquisition("lock " + i, HOUR);
    }
    time.move(Duration.ofMinutes(10));
    assertThat(store.asked).hasSizeLessThan(1300);

    store.asked.clear();
    store.failing = false;
    int most = 0;
    for (int i = 0; i < 200; i++) {
      int before = store.asked.size();
      time.move(BackgroundReleases.BETWEEN_BATCHES);
      most = Math.max(most, store.asked.size() - before);
    }
    assertThat(most).isPositive().isLessThanOrEqualTo(2 * BackgroundReleases.BATCH);
    time.move(HOUR);
    assertThat(store.asked).hasSizeBetween(1000, 3000);
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void whatWaitsForAStoreThatWasAwayForLongIsReleasedWithinSeconds() {
    store.failing = true;
    for (int i = 0; i < 1000; i++) {
      releases.afterAbandonedAcquisition("lock " + i, HOUR);
    }
    time.move(Duration.ofMinutes(10));
    store.asked.clear();
    store.failing = false;
    time.move(Duration.ofSeconds(1));
    assertThat(store.asked).isNotEmpty();
    time.move(Duration.ofSeconds(1));
    assertThat(store.asked).hasSizeGreaterThanOrEqualTo(1000);
  }

  @Test
  void fewAreUnderWayWhileTheStoreHangs() {
    store.hanging = true;
    for (int i = 0; i < 1000; i++) {
      releases.afterAbandonedAcquisition("lock " + i, HOUR);
    }
    assertThat(store.asked).hasSize(BackgroundReleases.MOST_UNDER_WAY);

    store.hanging = false;
    store.answerAll();
    time.move(Duration.ofMinutes(1));
    assertThat(store.asked.stream().distinct()).hasSize(1000);
  }

  @Test
  void whatIsTooMuchIsLeftToExpireWithOneWarningThatHidesWhatItIs() {
    store.failing = true;
    try (CapturedLog log = CapturedLog.open()) {
      for (int i = 0; i < BackgroundReleases.MOST_WAITING + 1000; i++) {
        releases.afterAbandonedAcquisition("secret " + i, HOUR);
      }
      assertThat(log.text()).containsOnlyOnce("stay until they expire").doesNotContain("secret");
    }
    store.asked.clear();
    store.failing = false;
    time.move(HOUR);
    assertThat(store.asked.stream().distinct()).hasSize(BackgroundReleases.MOST_WAITING);
  }

  @Test
  void closingEndsWhatGoesOn() {
    store.failing = true;
    releases.inBackground("a", HOUR);
    gate.close();
    releases.close();
    assertThat(time.pendingTimers()).isZero();
    store.asked.clear();
    releases.inBackground("b", HOUR);
    assertThat(store.asked).isEmpty();
  }

  @Test
  void anInterruptOfTheCallersReachesNoStoreAndStays() {
    Thread.currentThread().interrupt();
    releases.inBackground("a", HOUR);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.sawInterrupt).isFalse();
  }

  @Test
  void anErrorEndsNoOtherReleases() {
    store.error = true;
    releases.inBackground("a", HOUR);
    CompletableFuture<String> waiting = releases.async("b", HOUR).toCompletableFuture();
    time.move(TIMEOUT);
    assertThat(waiting).isCompletedExceptionally();
    store.error = false;
    store.held.add("c");
    releases.inBackground("c", HOUR);
    time.move(TIMEOUT);
    assertThat(store.held).isEmpty();
  }

  @Test
  void itIsToldWhenTheStoreHasBeenAskedOrCannotBe() {
    List<String> told = new ArrayList<>();
    store.hanging = true;
    for (int i = 0; i <= BackgroundReleases.MOST_UNDER_WAY; i++) {
      String name = "r" + i;
      releases.inBackground(name, HOUR, () -> told.add(name));
    }
    assertThat(told).isEmpty();
    store.unanswered.get(0).complete("absent");
    assertThat(told).containsExactly("r0");
    store
        .unanswered
        .get(1)
        .completeExceptionally(new SyncGuardException(Code.SERVICE_UNAVAILABLE, "Gone"));
    assertThat(told).contains("r0", "r1").hasSizeLessThan(BackgroundReleases.MOST_UNDER_WAY);
    releases.afterAbandonedAcquisition("late", HOUR, () -> told.add("late"));
    gate.close();
    releases.close();
    assertThat(told).contains("late");
  }
}
