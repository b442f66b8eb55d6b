package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancelSignalRaceTest {

  @Test
  void noActionIsLostOrRunTwiceWhileAnotherThreadCancels() throws Exception {
    ExecutorService canceller = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 10_000; i++) {
        CancelSignal raced = CancelSignal.create();
        AtomicInteger ran = new AtomicInteger();
        Future<?> cancelling = canceller.submit(raced::cancel);
        int registered = 0;
        boolean cancelled;
        do {
          cancelled = raced.isCancelled();
          raced.onCancel(ran::incrementAndGet);
          registered++;
        } while (!cancelled && registered < 1000);
        cancelling.get(1, TimeUnit.MINUTES);
        assertThat(ran).hasValue(registered);
      }
    } finally {
      canceller.shutdownNow();
    }
  }
}
