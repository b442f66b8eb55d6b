package io.syncguard.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.telemetry.Event;
import io.syncguard.telemetry.EventSubject;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.RecordedEvents;
import io.syncguard.telemetry.Telemetry;
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
              assertThat(event.subject().name()).isNull();
              assertThat(event.subject().id()).isNull();
              assertThat(event.subject().nameHash()).isEqualTo(KEY.hash());
              assertThat(event.toString()).doesNotContain(KEY.value(), LOCK_ID.value());
            });
  }

  @Test
  void onRequestTheRawIdentifiersAreReportedBesidesTheHashes() {
    List<EventSubject> reported =
        subjects(acquireLookUpAndRelease(Telemetry.to(events).includingRaw()));

    assertThat(reported).extracting(EventSubject::name).containsOnly(KEY.value());
    assertThat(reported)
        .extracting(EventSubject::id)
        .as("a lookup by key has no id")
        .containsExactly(LOCK_ID.value(), null, LOCK_ID.value());
    assertThat(reported).extracting(EventSubject::nameHash).containsOnly(KEY.hash());
  }

  @Test
  void aPredicateChoosesTheEventsWithRawIdentifiers() {
    List<EventSubject> reported =
        subjects(
            acquireLookUpAndRelease(
                Telemetry.to(events)
                    .includingRaw(
                        event ->
                            event instanceof OperationEvent operation
                                && operation.operation().equals(LockOperation.RELEASE))));

    assertThat(reported).extracting(EventSubject::name).containsExactly(null, null, KEY.value());
    assertThat(reported).extracting(EventSubject::id).containsExactly(null, null, LOCK_ID.value());
  }

  @Test
  void thePredicateItselfSeesHashesOnly() {
    List<Event> seen = new CopyOnWriteArrayList<>();

    acquireLookUpAndRelease(Telemetry.to(events).includingRaw(seen::add));

    assertThat(subjects(seen)).isNotEmpty().extracting(EventSubject::name).containsOnlyNulls();
    assertThat(subjects(seen)).extracting(EventSubject::nameHash).contains(KEY.hash());
  }

  @Test
  void theTelemetryItWasMadeFromStaysAsItWas() {
    Telemetry hashesOnly = Telemetry.to(events);
    assertThat(hashesOnly.includingRaw()).isNotSameAs(hashesOnly);

    assertThat(subjects(acquireLookUpAndRelease(hashesOnly)))
        .extracting(EventSubject::name)
        .containsOnlyNulls();
  }

  @Test
  void waitsAndHoldsTooShowRawIdentifiersOnRequestOnly() {
    assertThat(subjects(waitAndHold(Telemetry.to(events))))
        .hasSize(4)
        .allSatisfy(
            subject -> {
              assertThat(subject.nameHash()).isEqualTo(KEY.hash());
              assertThat(subject.name()).isNull();
              assertThat(subject.id()).isNull();
            });
    assertThat(subjects(waitAndHold(Telemetry.to(events).includingRaw())))
        .hasSize(4)
        .extracting(EventSubject::name)
        .containsOnly(KEY.value());
  }

  /** A wait, its attempt, the release and the end of the hold. */
  private List<Event> waitAndHold(Telemetry telemetry) {
    GuardOptions options = GuardOptions.defaults().withTelemetry(telemetry);
    try (SyncGuard guard = SyncGuard.open("memory:", options)) {
      LockHandle lock = guard.locks().lock(KEY.value());
      lock.release();
      return events.of(guard, Event.class);
    }
  }

  private static List<EventSubject> subjects(List<? extends Event> events) {
    return events.stream().<EventSubject>map(Event::subject).toList();
  }

  private List<OperationEvent> acquireLookUpAndRelease(Telemetry telemetry) {
    OperationExecutor observed = new ReportingExecutor(store, new Events(telemetry));
    observed.execute(new LockOperation.Acquire(KEY, LOCK_ID, TTL, false), Call.plain());
    observed.execute(new LockOperation.FindByKey(KEY), Call.plain());
    observed.execute(
        new LockOperation.Release(new LockReference(LOCK_ID, KEY)), Call.ofRelease(TTL));
    return events.of(observed);
  }
}
