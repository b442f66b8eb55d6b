package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

  @Test
  void noThreadOfOursKeepsTheJvmAlive() throws Exception {
    Set<Thread> before = keepingTheJvmAlive();

    useEveryThread();

    Set<Thread> left = keepingTheJvmAlive();
    left.removeAll(before);
    assertThat(left).isEmpty();
    assertThat(ours())
        .extracting(Thread::getName)
        .contains("syncguard-timer", "syncguard-telemetry", "syncguard-callback");
    assertThat(ours()).allMatch(Thread::isDaemon);
  }

  private static void useEveryThread() throws InterruptedException {
    CountDownLatch observed = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    Telemetry telemetry = Telemetry.to(event -> observed.countDown());
    try (SyncGuard guard =
            SyncGuard.open("memory:", GuardOptions.defaults().withTelemetry(telemetry));
        LockHandle lock = guard.locks().lock("key")) {
      lock.autoExtend(Duration.ofHours(1)).onLost(lost::countDown);
      assertThat(guard.locks().release(lock.lockId())).isEqualTo(ReleaseResult.RELEASED);
      assertThat(lock.extend(Duration.ofSeconds(1))).isEqualTo(NotExtended.NOT_FOUND);
      assertThat(lost.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(observed.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static Set<Thread> keepingTheJvmAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Set<Thread> ours() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("syncguard-"))
        .collect(Collectors.toSet());
  }
}
