package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ContinuationsTest {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Continuations continuations =
      new Continuations(GuardOptions.defaults().withExecutor(tasks::add));
  private final CompletableFuture<String> inner = new CompletableFuture<>();
  private final List<String> givenBack = new ArrayList<>();
  private final CompletableFuture<String> outer =
      continuations.handOutAcquired(() -> inner, givenBack::add).toCompletableFuture();

  @Test
  void aStageCompletesWhereContinuationsRun() {
    inner.complete("got");
    assertThat(outer).isNotDone();
    tasks.remove().run();
    assertThat(outer).isCompletedWithValue("got");
    assertThat(givenBack).isEmpty();
  }

  @Test
  void aCallerThatBlocksForAStageNeedsNoOtherThread() {
    inner.complete("got");
    assertThat(outer.join()).isEqualTo("got");
    tasks.remove().run();
    assertThat(givenBack).isEmpty();
  }

  @Test
  void whatComesAfterTheFutureWasCompletedIsGivenBack() {
    CompletableFuture<String> uncancellable = new CompletableFuture<>();
    CompletableFuture<String> handedOut =
        continuations
            .handOutAcquired(() -> uncancellable.copy(), givenBack::add)
            .toCompletableFuture();
    inner.complete("got");
    outer.cancel(true);
    tasks.remove().run();
    assertThat(givenBack).containsExactly("got");
    handedOut.complete("mine");
    assertThat(handedOut).isCompletedWithValue("mine");
  }

  @Test
  void aCallerThatGivesUpEndsTheAcquisition() {
    outer.complete("mine");
    assertThat(inner).isCancelled();
    assertThat(outer.join()).isEqualTo("mine");
    assertThat(givenBack).isEmpty();
  }

  @Test
  void theAcquisitionHasEndedBeforeAContinuationLearnsOfGivingUp() {
    List<Boolean> ended = new ArrayList<>();
    CompletableFuture<Void> noted = outer.handle((v, e) -> inner.isDone()).thenAccept(ended::add);
    outer.orTimeout(1, TimeUnit.MILLISECONDS);
    noted.join();
    assertThat(ended).containsExactly(true);
  }

  @Test
  void whatIsCompleteAlreadyIsHandedOutAsItIs() {
    inner.complete("got");
    assertThat(continuations.handOut(() -> inner)).isSameAs(inner);
  }
}
