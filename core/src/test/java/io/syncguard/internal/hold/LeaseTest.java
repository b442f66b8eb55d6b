package io.syncguard.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTest {

  /** In 20 s the clock overflows, which leases of 30 s and more see and shorter ones do not. */
  private final HandMovedTime time = new HandMovedTime(Long.MAX_VALUE - seconds(20).toNanos());

  private final Lease lease = new Lease(time, time.nanoTime(), seconds(30));

  @Test
  void aLeaseCountsFromTheRequestNotFromTheAnswer() {
    long requestedAt = time.nanoTime();
    time.move(seconds(2));

    assertEndsIn(new Lease(time, requestedAt, seconds(10)), seconds(8));
  }

  @Test
  void aLeaseRunsOutAsTimePasses() {
    time.move(seconds(29));
    assertEndsIn(lease, seconds(1));

    time.move(seconds(2));
    assertEndsIn(lease, seconds(-1));
  }

  @Test
  void anExtensionCountsFromWhenItWasSent() {
    time.move(seconds(10));
    Lease.Extension extension = lease.extending(seconds(60));
    time.move(seconds(3));

    extension.succeeded();

    assertEndsIn(lease, seconds(57));
    assertThat(lease.ttl()).isEqualTo(seconds(60));
  }

  @Test
  void anExtensionUnderWayLengthensNothing() {
    lease.extending(seconds(60));

    assertEndsIn(lease, seconds(30));
    assertThat(lease.ttl()).isEqualTo(seconds(30));
  }

  @Test
  void anExtensionUnderWayToAShorterLifetimeShortensAtOnce() {
    lease.extending(seconds(5));

    assertEndsIn(lease, seconds(5));
  }

  @Test
  void aFailedExtensionKeepsTheShorterEnd() {
    lease.extending(seconds(5)).failed();

    assertEndsIn(lease, seconds(5));
    assertThat(lease.ttl()).isEqualTo(seconds(30));
  }

  @Test
  void aFailedExtensionToALongerLifetimeChangesNothing() {
    lease.extending(seconds(60)).failed();

    assertEndsIn(lease, seconds(30));
  }

  @Test
  void ofOverlappingExtensionsTheEarliestEndCountsWhicheverIsAnsweredLast() {
    Lease.Extension longer = lease.extending(seconds(60));
    Lease.Extension shorter = lease.extending(seconds(40));

    shorter.succeeded();
    assertEndsIn(lease, seconds(40));
    longer.succeeded();
    assertEndsIn(lease, seconds(40));
  }

  @Test
  void anOverlappingExtensionThatFailedMayStillHaveBeenTheLast() {
    Lease.Extension shorter = lease.extending(seconds(5));
    Lease.Extension longer = lease.extending(seconds(60));

    shorter.failed();
    longer.succeeded();

    assertEndsIn(lease, seconds(5));
  }

  @Test
  void aChainOfOverlapsKeepsTheEarliestEndUntilNothingIsUnderWay() {
    Lease.Extension first = lease.extending(seconds(10));
    Lease.Extension second = lease.extending(seconds(60));
    first.succeeded();
    Lease.Extension third = lease.extending(seconds(90));
    second.succeeded();
    third.succeeded();
    assertEndsIn(lease, seconds(10));

    lease.extending(seconds(90)).succeeded();

    assertEndsIn(lease, seconds(90));
  }

  @Test
  void anExtensionAfterAFailedOneCountsAlone() {
    lease.extending(seconds(5)).failed();

    lease.extending(seconds(60)).succeeded();

    assertEndsIn(lease, seconds(60));
  }

  @Test
  void noExtensionPassesTheCap() {
    lease.capAt(seconds(10));
    assertEndsIn(lease, seconds(10));

    lease.extending(seconds(60)).succeeded();

    assertEndsIn(lease, seconds(10));
  }

  @Test
  void towardsTheCapALeaseIsRenewedByWhatIsLeftAndKeepsItsTtl() {
    lease.capAt(seconds(40));
    time.move(seconds(15));

    Lease.Extension last = lease.renewing();
    last.succeeded();

    assertThat(last.by()).isEqualTo(seconds(25));
    assertThat(lease.isBelowCap()).isFalse();
    assertThat(lease.ttl()).isEqualTo(seconds(30));
  }

  @Test
  void anExtensionIsDueAfterAThirdOfTheTtl() {
    assertThat(lease.nanosToExtension()).isEqualTo(seconds(10).toNanos());

    lease.extending(seconds(6)).succeeded();

    assertThat(lease.nanosToExtension()).isEqualTo(seconds(2).toNanos());
  }

  @ParameterizedTest
  @CsvSource({"PT0.001S, PT0.0001S", "PT1S, PT0.1S", "PT5S, PT0.5S", "PT30S, PT0.5S"})
  void theMarginIsATenthOfTheLifetimeAndAtMostHalfASecond(Duration ttl, Duration margin) {
    assertThat(new Lease(time, time.nanoTime(), ttl).nanosToLoss())
        .isEqualTo(ttl.minus(margin).toNanos());
  }

  @Test
  void aShorterExtensionBringsItsShorterMarginAlongWhenItIsSent() {
    lease.extending(seconds(1)).failed();

    assertThat(lease.nanosToLoss()).isEqualTo(Duration.ofMillis(900).toNanos());
  }

  @Test
  void aLeaseOfACenturyDoesNotOverflow() {
    assertEndsIn(
        new Lease(time, time.nanoTime(), Duration.ofDays(36_525)), Duration.ofDays(36_525));
  }

  @Test
  void aConfirmedLeaseCountsAnewFromWhenItWasAskedFor() {
    long askedAt = time.nanoTime();
    time.move(seconds(10));
    lease.confirmedAt(askedAt);
    assertEndsIn(lease, seconds(20));

    lease.confirmedAt(time.nanoTime());
    assertEndsIn(lease, seconds(30));

    lease.confirmedAt(askedAt);
    assertEndsIn(lease, seconds(30));
  }

  @Test
  void aLeaseThatIsKeptForAWhileEndsThenUnlessItIsConfirmed() {
    lease.endBy(time.nanoTime() + seconds(5).toNanos());
    assertEndsIn(lease, seconds(5));

    lease.confirmedAt(lease.requestedAt());
    assertEndsIn(lease, seconds(30));
  }

  @Test
  void noConfirmationPassesTheCap() {
    lease.capAt(seconds(40));
    time.move(seconds(20));

    lease.confirmedAt(time.nanoTime());

    assertEndsIn(lease, seconds(20));
  }

  private static void assertEndsIn(Lease lease, Duration remaining) {
    assertThat(lease.remainingNanos()).isEqualTo(remaining.toNanos());
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
