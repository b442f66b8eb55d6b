package io.syncguard.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.history.HandOffHistory.Passage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a history is made of is true also where replies get lost. */
class PermitRecorderTest {

  private final List<Passage> passages = new ArrayList<>();
  private final List<Long> reachedStore = new ArrayList<>();
  private final Faults faults = new Faults();

  /** The permit may have had its place since the attempt whose answer it never got. */
  @Test
  void aPermitCameWhenItFirstAsked() {
    Store memory = StoreProvider.openStore("memory:", TimeSource.system());
    Store faulty = new DecoratedStore(memory, next -> faults.apply(noting(next)));
    try (SyncGuard guard = SyncGuard.over(new PermitRecorder(passages::add).over(faulty))) {
      faults.loseReplies(1);
      guard.semaphore("name", 1).acquire().release();
    }
    assertThat(reachedStore).hasSizeGreaterThan(2);
    assertThat(passages.get(0).askedAt()).isLessThanOrEqualTo(reachedStore.get(0));
  }

  private OperationExecutor noting(OperationExecutor next) {
    return new OperationExecutor() {
      @Override
      public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
        reachedStore.add(System.nanoTime());
        return next.execute(operation, call);
      }
    };
  }
}
