package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
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
    AtomicInteger runs = new AtomicInteger();
    time.schedule(runs::incrementAndGet, Duration.ofMillis(1));
    Eventually.eventually(() -> assertThat(runs).hasValue(1));
    time.schedule(runs::incrementAndGet, Duration.ofDays(1));
    time.advance(Duration.ofDays(1));
    assertThat(runs).hasValue(2);
  }
}
