package io.syncguard.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.history.SemaphoreHistory.Passage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a history is made of is true also where replies get lost. */
class PermitRecorderTest {

  private final List<Passage> passages = new ArrayList<>();
  private final Faults faults = new Faults();

  /** The permit may have had its place since the attempt whose answer it never got. */
  @Test
  void aPermitCameWhenItFirstAsked() {
    Store memory = StoreProvider.openStore("memory:", TimeSource.system());
    PermitRecorder recorder = new PermitRecorder(passages::add);
    Store store = new DecoratedStore(memory, next -> recorder.apply(faults.apply(next)));
    try (SyncGuard guard = SyncGuard.over(store, GuardOptions.defaults())) {
      faults.loseReplies(1);
      long before = System.nanoTime();
      Permit permit = guard.semaphore("name", 1).acquire();
      long acquired = System.nanoTime();
      permit.release();

      assertThat(faults.operations()).isGreaterThanOrEqualTo(3);
      Passage passage = passages.get(0);
      // The second attempt comes after a pause of 50 ms.
      assertThat(passage.askedAt() - before).isLessThan((acquired - before) / 2);
    }
  }
}
