package io.syncguard.testkit.scan;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.Store;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.lock.KeySuite;
import io.syncguard.testkit.lock.LockSuite;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which semaphores are listed, with their queues. Others may be there as well. */
public interface SemaphoreScanSuite extends ScanSuite {

  private List<SemaphoreStats> listedSemaphores(String prefix) {
    return walk(Store::scanSemaphores).stream()
        .flatMap(List::stream)
        .filter(stats -> stats.name().startsWith(prefix))
        .toList();
  }

  @Test
  default void aSemaphoreIsListedWithItsQueueUntilNobodyUsesIt() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    assertThat(listedSemaphores(name))
        .containsExactly(new SemaphoreStats(name, 1, 1, 0, Duration.ZERO));
    CompletableFuture<Permit> waiter =
        otherGuard().semaphore(name, 1).async().acquire(LONG).toCompletableFuture();
    eventually(
        () ->
            assertThat(listedSemaphores(name))
                .singleElement()
                .extracting(SemaphoreStats::acquired, SemaphoreStats::waiting)
                .containsExactly(1, 1));
    held.close();
    waiter.join().close();
    assertThat(listedSemaphores(name)).isEmpty();
  }

  @Test
  default void manySemaphoresAreListedOnceEach() {
    String prefix = newName() + ":";
    List<PermitReference> permits =
        IntStream.range(0, SEVERAL_PAGES).mapToObj(i -> newPermit(prefix + i)).toList();
    try (Store store = fixture().openClient()) {
      askAll(
          store,
          permits,
          permit -> new SemaphoreOperation.Acquire(permit, 2, LONG, LONG, false, false));
      assertThat(listedSemaphores(prefix))
          .containsExactlyInAnyOrderElementsOf(
              permits.stream()
                  .map(permit -> permit.name().value())
                  .map(name -> new SemaphoreStats(name, 1, 2, 0, Duration.ZERO))
                  .toList());
      askAll(store, permits, SemaphoreOperation.Release::new);
    }
    assertThat(listedSemaphores(prefix)).isEmpty();
  }

  private static void askAll(
      Store store,
      List<PermitReference> permits,
      Function<PermitReference, SemaphoreOperation<?>> operation) {
    permits.stream()
        .map(operation)
        .<CompletionStage<?>>map(asked -> store.execute(asked, Call.plain()))
        .toList()
        .forEach(LockSuite::join);
  }

  @Test
  default void hostileNamesAreListedAsTheyAre() {
    String prefix = newName();
    List<String> names =
        KeySuite.hostileKeys().filter(key -> key.length() <= 200).map(prefix::concat).toList();
    List<Permit> held = names.stream().map(name -> take(guard().semaphore(name, 1))).toList();
    assertThat(listedSemaphores(prefix))
        .extracting(SemaphoreStats::name)
        .containsExactlyInAnyOrderElementsOf(names);
    held.forEach(Permit::close);
  }
}
