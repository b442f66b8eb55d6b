package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.ClockSkew;
import io.syncguard.spi.ClockSkew.Verdict;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The emulator's clock is this machine's. */
class ClockProbeTest extends OnFirestore {

  @Test
  void aClockThatAgreesIsFoundToAgree() {
    try (FirestoreStore here =
        FirestoreStore.over(firestore(), FirestoreFixture.PATIENT, MovableTime.flowing())) {
      ClockSkew measured = here.measureClockSkew().orElseThrow();
      assertThat(measured.verdict()).isEqualTo(Verdict.OK);
      assertThat(measured.skew().abs()).isLessThanOrEqualTo(measured.uncertainty().plusMillis(50));
    }
  }

  @Test
  void aClockThatIsAheadIsFoundOutAndNothingIsLeftBehind() throws Exception {
    MovableTime ahead = MovableTime.flowing();
    ahead.advance(Duration.ofHours(1));
    try (FirestoreStore wrong = FirestoreStore.over(firestore(), FirestoreFixture.PATIENT, ahead)) {
      ClockSkew measured = wrong.measureClockSkew().orElseThrow();
      assertThat(measured.verdict()).isEqualTo(Verdict.FAIL);
      assertThat(measured.skew().minusHours(1).abs())
          .isLessThanOrEqualTo(measured.uncertainty().plusMillis(50));
    }
    assertThat(ids("locks")).isEmpty();
  }
}
