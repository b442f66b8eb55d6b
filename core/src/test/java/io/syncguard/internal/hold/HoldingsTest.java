package io.syncguard.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.internal.GuardContext;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HoldingsTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration TTL = Duration.ofSeconds(30);

  private final HandMovedTime time = new HandMovedTime();
  private final Store memory = StoreProvider.openStore("memory:", time);
  private final GuardContext guard =
      new GuardContext(memory, GuardOptions.defaults().withTimeSource(time));
  private final AskedStore store = new AskedStore();
  private final Releases<String, String> releases =
      new Releases<>(store, time, Duration.ofSeconds(5), guard.gate());
  private final Holdings holdings = new Holdings("locks", time);
  private final List<String> takenBack = new ArrayList<>();

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void whatIsNotHeldIsEmptyAtOnce() {
    assertThat(isDone(holdings.close(LONG))).isTrue();
  }

  @Test
  void anAcquisitionUnderWayIsAwaited() {
    holdings.begin();
    CompletionStage<Void> closed = holdings.close(LONG);
    assertThat(isDone(closed)).isFalse();
    Held got = new Held("a");
    got.enter();
    holdings.end();
    assertThat(isDone(closed)).isFalse();
    got.release();
    assertThat(isDone(closed)).isTrue();
    assertThat(takenBack).isEmpty();
  }

  @Test
  void whatIsLeftOrComesLateIsTakenBack() {
    store.hanging = true;
    new Held("a").enter();
    holdings.begin();
    CompletionStage<Void> closed = holdings.close(Duration.ZERO);
    assertThat(takenBack).containsExactly("a");
    store.unanswered.get(0).complete("released");
    assertThat(isDone(closed)).isFalse();
    new Held("late").enter();
    holdings.end();
    assertThat(takenBack).containsExactly("a", "late");
    assertThat(store.asked).containsExactly("a", "late");
    assertThat(isDone(closed)).isFalse();
    store.unanswered.get(1).complete("released");
    assertThat(isDone(closed)).isTrue();
  }

  @Test
  void whatIsLeftWhenTheTimeIsOverIsTakenBack() {
    new Held("a").enter();
    CompletionStage<Void> closed = holdings.close(Duration.ofSeconds(10));
    time.move(Duration.ofSeconds(9));
    assertThat(takenBack).isEmpty();
    time.move(Duration.ofSeconds(1));
    assertThat(takenBack).containsExactly("a");
    assertThat(isDone(closed)).isTrue();
  }

  @Test
  void whatIsBeingTakenBackIsAwaitedByALaterCloseToo() {
    store.hanging = true;
    Held held = new Held("a");
    held.enter();
    CompletionStage<Void> closed = holdings.close(Duration.ZERO);
    assertThat(held.isInUse()).isFalse();
    assertThat(holdings.close(Duration.ZERO)).isSameAs(closed);
    assertThat(takenBack).containsExactly("a");
    assertThat(isDone(closed)).isFalse();
    store.unanswered.get(0).complete("released");
    assertThat(isDone(closed)).isTrue();
  }

  @Test
  void whatIsOverOrWasDroppedIsNotAwaited() {
    new Held("expired").enter();
    time.move(TTL);
    WeakReference<Held> dropped = enterAndDrop();
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return dropped.get() == null;
            });
    assertThat(isDone(holdings.close(LONG))).isTrue();
    assertThat(takenBack).isEmpty();
  }

  private WeakReference<Held> enterAndDrop() {
    Held handle = new Held("dropped");
    handle.enter();
    return new WeakReference<>(handle);
  }

  @Test
  void onlyWhatIsInUseIsFoundByItsName() {
    Held held = new Held("a");
    held.enter();
    assertThat(holdings.holdsOne("a")).isTrue();
    assertThat(holdings.holdsOne("b")).isFalse();
    time.move(TTL);
    assertThat(holdings.holdsOne("a")).isFalse();
  }

  private static boolean isDone(CompletionStage<Void> stage) {
    return stage.toCompletableFuture().isDone();
  }

  /** Something of that name that is held for the ttl. */
  private final class Held extends Hold<String, String> {

    Held(String name) {
      super(
          guard,
          holdings,
          releases,
          name,
          Subject.ofLock(name, null),
          new Lease(time, time.nanoTime(), TTL),
          ReleaseErrorHandler.logging());
      onLostHere(() -> takenBack.add(name));
    }

    @Override
    protected void watchOver() {}

    @Override
    protected void stopWatching() {}

    @Override
    protected Duration life() {
      return TTL;
    }

    @Override
    protected String nothingToRelease() {
      return "absent";
    }

    @Override
    protected boolean isReleased(String answer) {
      return answer.equals("released");
    }

    @Override
    protected void refuseRelease() {}
  }
}
