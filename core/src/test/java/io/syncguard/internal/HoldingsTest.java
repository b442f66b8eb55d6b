package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.TimeSource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class HoldingsTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final List<Object> takenBack = new ArrayList<>();
  private final Holdings<Object> holdings =
      new Holdings<>(
          "locks", TimeSource.system(), handle -> !handle.equals("expired"), takenBack::add);

  @Test
  void whatNobodyHoldsIsEmptyAtOnce() {
    assertThat(done(holdings.close(LONG))).isTrue();
  }

  @Test
  void anAcquisitionUnderWayIsAwaited() {
    holdings.begin();
    CompletionStage<Void> closed = holdings.close(LONG);
    assertThat(done(closed)).isFalse();
    Object handle = new Object();
    Holdings<Object>.Holding got = holdings.of(handle);
    got.enter();
    holdings.end();
    assertThat(done(closed)).isFalse();
    got.leave();
    assertThat(done(closed)).isTrue();
    assertThat(takenBack).isEmpty();
  }

  @Test
  void whatIsLeftOrComesLateIsTakenBack() {
    Object handle = new Object();
    Holdings<Object>.Holding held = holdings.of(handle);
    held.enter();
    holdings.begin();
    CompletionStage<Void> closed = holdings.close(Duration.ZERO);
    assertThat(takenBack).containsExactly(handle);
    held.leave();
    assertThat(done(closed)).isFalse();
    Object other = new Object();
    Holdings<Object>.Holding late = holdings.of(other);
    late.enter();
    holdings.end();
    assertThat(takenBack).containsExactly(handle, other);
    late.leave();
    assertThat(done(closed)).isTrue();
  }

  @Test
  void whatIsBeingTakenBackIsAwaitedWhoeverClosesAgain() {
    Holdings<Object> unusedOnceTaken =
        new Holdings<>("locks", TimeSource.system(), handle -> takenBack.isEmpty(), takenBack::add);
    Object handle = new Object();
    Holdings<Object>.Holding held = unusedOnceTaken.of(handle);
    held.enter();
    CompletionStage<Void> closed = unusedOnceTaken.close(Duration.ZERO);
    assertThat(unusedOnceTaken.close(Duration.ZERO)).isSameAs(closed);
    assertThat(takenBack).containsExactly(handle);
    assertThat(done(closed)).isFalse();
    held.leave();
    assertThat(done(closed)).isTrue();
  }

  @Test
  void whatIsOverOrWasDroppedIsNotAwaited() throws InterruptedException {
    String expired = "expired";
    holdings.of(expired).enter();
    WeakReference<Object> dropped = enterAndDrop();
    while (dropped.get() != null) {
      System.gc();
      Thread.sleep(1);
    }
    assertThat(done(holdings.close(LONG))).isTrue();
    assertThat(takenBack).isEmpty();
  }

  private WeakReference<Object> enterAndDrop() {
    Object handle = new Object();
    holdings.of(handle).enter();
    return new WeakReference<>(handle);
  }

  private static boolean done(CompletionStage<Void> stage) {
    CompletableFuture<Void> future = stage.toCompletableFuture();
    return future.isDone();
  }
}
