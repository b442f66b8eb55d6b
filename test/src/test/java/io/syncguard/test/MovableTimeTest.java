package io.syncguard.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MovableTimeTest {

  @Test
  void runsWhatIsDueInOrderAndNothingElse() {
    MovableTime time = MovableTime.frozen();
    List<String> ran = new ArrayList<>();
    time.schedule(() -> ran.add("second"), Duration.ofSeconds(2));
    time.schedule(() -> ran.add("first"), Duration.ofSeconds(1));
    time.schedule(() -> ran.add("never"), Duration.ofSeconds(3));
    TimeSource.Timer cancelled = time.schedule(() -> ran.add("cancelled"), Duration.ofSeconds(1));
    cancelled.cancel();

    time.advance(Duration.ofSeconds(2));

    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void frozenTimePassesForWhoeverWaits() throws InterruptedException {
    MovableTime time = MovableTime.frozen();
    long before = time.nanoTime();
    assertThat(time.await(new Semaphore(0), Duration.ofHours(1).toNanos())).isFalse();
    assertThat(time.nanoTime() - before).isEqualTo(Duration.ofHours(1).toNanos());
    assertThat(time.naps()).containsExactly(Duration.ofHours(1));
  }

  @Test
  void flowingTimeRunsATaskOnceWhetherItFlowsOrIsMoved() throws InterruptedException {
    MovableTime time = MovableTime.flowing();
    Semaphore runs = new Semaphore(0);
    time.schedule(runs::release, Duration.ofMillis(1));
    assertThat(runs.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    time.schedule(runs::release, Duration.ofDays(1));
    time.advance(Duration.ofDays(1));
    assertThat(runs.availablePermits()).isEqualTo(1);
  }
}
