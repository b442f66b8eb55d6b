package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {

  private final Store store = StoreProvider.openStore("memory:", TimeSource.system());

  @Test
  void anEmptyStoreHasNothingToList() {
    assertThat(store.scanLocks().next(CancelSignal.never())).isEmpty();
    assertThat(store.scanSemaphores().next(CancelSignal.never())).isEmpty();
  }

  @Test
  void aClosedStoreListsNothing() {
    Scan<?> begun = store.scanLocks();
    store.close();
    for (Scan<?> scan : new Scan<?>[] {begun, store.scanLocks(), store.scanSemaphores()}) {
      assertThatExceptionOfType(SyncGuardException.class)
          .isThrownBy(() -> scan.next(CancelSignal.never()))
          .matches(failure -> failure.code() == Code.SERVICE_UNAVAILABLE);
    }
  }

  @Test
  void itWarnsThatItForgets() {
    assertThat(store.examine())
        .singleElement()
        .extracting(Finding::level)
        .isEqualTo(Finding.Level.WARNING);
  }
}
