package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RawIdentifiersTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final LockId LOCK_ID = LockId.of("abcdefghijklmnopqrstuw");
  private static final Duration TTL = Duration.ofSeconds(10);

  private final Store store = StoreProvider.openStore("memory:", new HandMovedTime());
  private final RecordedEvents events = new RecordedEvents();

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void byDefaultOnlyHashesAreReported() {
    assertThat(acquireLookUpAndRelease(Telemetry.to(events)))
        .hasSize(3)
        .allSatisfy(
            event -> {
              assertThat(event.key()).isNull();
              assertThat(event.lockId()).isNull();
              assertThat(event.keyHash()).isEqualTo(KEY.hash());
              assertThat(event.toString()).doesNotContain(KEY.value(), LOCK_ID.value());
            });
  }

  @Test
  void onRequestTheRawIdentifiersAreReportedBesidesTheHashes() {
    List<LockEvent> reported = acquireLookUpAndRelease(Telemetry.to(events).includingRaw());

    assertThat(reported).extracting(LockEvent::key).containsOnly(KEY.value());
    assertThat(reported)
        .extracting(LockEvent::lockId)
        .as("a lookup by key has no id")
        .containsExactly(LOCK_ID.value(), null, LOCK_ID.value());
    assertThat(reported).extracting(LockEvent::keyHash).containsOnly(KEY.hash());
  }

  @Test
  void aPredicateChoosesTheEventsWithRawIdentifiers() {
    List<LockEvent> reported =
        acquireLookUpAndRelease(
            Telemetry.to(events).includingRaw(event -> event.type() == LockEvent.Type.RELEASE));

    assertThat(reported).extracting(LockEvent::key).containsExactly(null, null, KEY.value());
    assertThat(reported).extracting(LockEvent::lockId).containsExactly(null, null, LOCK_ID.value());
  }

  @Test
  void thePredicateItselfSeesHashesOnly() {
    List<LockEvent> seen = new CopyOnWriteArrayList<>();

    acquireLookUpAndRelease(Telemetry.to(events).includingRaw(seen::add));

    assertThat(seen).isNotEmpty().extracting(LockEvent::key).containsOnlyNulls();
    assertThat(seen).extracting(LockEvent::keyHash).contains(KEY.hash());
  }

  @Test
  void theTelemetryItWasMadeFromStaysAsItWas() {
    Telemetry hashesOnly = Telemetry.to(events);
    assertThat(hashesOnly.includingRaw()).isNotSameAs(hashesOnly);

    assertThat(acquireLookUpAndRelease(hashesOnly)).extracting(LockEvent::key).containsOnlyNulls();
  }

  private List<LockEvent> acquireLookUpAndRelease(Telemetry telemetry) {
    LockBackend observed = telemetry.observe(store.locks());
    observed.acquire(new AcquireRequest(KEY, LOCK_ID, TTL, false), CancelSignal.never());
    observed.lookup(KEY, CancelSignal.never());
    observed.release(new LockReference(LOCK_ID, KEY), TTL);
    return events.of(observed);
  }
}
