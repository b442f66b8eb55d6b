package io.syncguard.firestore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.FirestoreEmulator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A network that loses what Firestore answers, or does not get there. */
class LostReplyTest extends OnFirestore {

  private FaultyProxy proxy;
  private FirestoreStore faulty;
  private String key;
  private LockId lockId;

  @BeforeEach
  void connect() {
    List<String> emulator = List.of(FirestoreEmulator.hostAndPort().split(":"));
    proxy = FaultyProxy.forwardingTo(emulator.get(0), Integer.parseInt(emulator.get(1)));
    key = newKey();
    lockId = LockId.random();
    faulty = open(FirestoreFixture.PATIENT.timeout());
    assertThat(ask(faulty, new LockOperation.IsLocked(ResourceKey.of(key)))).isFalse();
  }

  /** A client of the same project as the fixture's, but through the proxy. */
  private FirestoreStore open(Duration timeout) {
    String uri =
        "firestore://"
            + firestore().getOptions().getProjectId()
            + "?emulator=127.0.0.1:"
            + proxy.port();
    return FirestoreStore.connect(
        uri, FirestoreStoreOptions.defaults().withTimeout(timeout), fixture.clock());
  }

  @AfterEach
  void disconnect() {
    proxy.heal();
    faulty.close();
    proxy.close();
  }

  /** A commit names the document and then the condition, whose tag is a quotation mark. */
  private String conditionalCommit() {
    return key + "\"";
  }

  @Test
  void anAcquireInDoubtIsSettledByItsLockId() throws Exception {
    proxy.dropReplyTo(lockId.value());
    Granted granted = (Granted) acquire(faulty, key, lockId);
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(granted.fence().toLong()).isEqualTo(1);
    assertThat(stored("locks", key))
        .containsEntry("lockId", lockId.value())
        .containsEntry("fence", granted.fence().toString())
        .containsEntry("expiresAtMs", granted.expiresAt().toEpochMilli());
  }

  @Test
  void aReleaseInDoubtHasReleased() throws Exception {
    acquire(faulty, key, lockId);
    proxy.dropReplyTo(conditionalCommit());
    assertThat(
            ask(faulty, new LockOperation.Release(new LockReference(lockId, ResourceKey.of(key)))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(stored("locks", key)).isNull();
    assertThat(
            ask(faulty, new LockOperation.Release(new LockReference(lockId, ResourceKey.of(key)))))
        .isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  void anExtensionInDoubtIsMadeAgain() throws Exception {
    acquire(faulty, key, lockId);
    proxy.dropReplyTo("expiresAtMs");
    Extended extended =
        (Extended)
            ask(
                faulty,
                new LockOperation.Extend(
                    new LockReference(lockId, ResourceKey.of(key)), Duration.ofHours(1)));
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(stored("locks", key))
        .containsEntry("expiresAtMs", extended.expiresAt().toEpochMilli());
  }

  /** The repetition meets what was written the first time. */
  @Test
  void aCommitThatTheClientRepeatsByItselfIsSettledToo() throws Exception {
    try (Firestore repeating = repeatingClient()) {
      Store over = FirestoreStore.over(repeating, FirestoreFixture.PATIENT, fixture.clock());
      LockReference lock = new LockReference(lockId, ResourceKey.of(key));
      proxy.dropReplyTo(lockId.value());
      assertThat(((Granted) acquire(over, key, lockId)).fence().toLong()).isEqualTo(1);
      proxy.dropReplyTo("expiresAtMs");
      assertThat(ask(over, new LockOperation.Extend(lock, Duration.ofHours(1))).isExtended())
          .isTrue();
      proxy.dropReplyTo(conditionalCommit());
      ask(over, new LockOperation.Release(lock));
      assertThat(proxy.droppedReplies()).isEqualTo(3);
      assertThat(stored("locks", key)).isNull();
    }
  }

  private Firestore repeatingClient() {
    return FirestoreOptions.newBuilder()
        .setProjectId(firestore().getOptions().getProjectId())
        .setCredentials(new FirestoreOptions.EmulatorCredentials())
        .setEmulatorHost("127.0.0.1:" + proxy.port())
        .build()
        .getService();
  }

  @Test
  void aWaiterIsToldAfterItsConnectionWasCut() throws Exception {
    Semaphore hints = new Semaphore(0);
    store("locks", key, lockFields(key, lockId, "000000000000001", Duration.ofMinutes(-1)));
    try (Watch watch =
        faulty
            .locks()
            .watch(
                new LockReference(LockId.random(), ResourceKey.of(key)),
                WaiterHints.looking(hints::release))
            .orElseThrow()) {
      assertThat(hints.tryAcquire(30, TimeUnit.SECONDS)).as(watch + " is connected").isTrue();
      hints.drainPermits();
      proxy.cutConnections();
      eventually(
          () -> {
            Duration longAgo = Duration.ofMinutes(-1);
            store("locks", key, lockFields(key, LockId.random(), "000000000000001", longAgo));
            assertThat(hints.tryAcquire(1, TimeUnit.SECONDS)).isTrue();
          });
    }
  }

  @Test
  void aReadWhoseAnswerIsLostIsRepeated() {
    acquire(key, lockId);
    proxy.dropReplyTo(key);
    assertThat(ask(faulty, new LockOperation.IsLocked(ResourceKey.of(key)))).isTrue();
    assertThat(proxy.droppedReplies()).isEqualTo(1);
  }

  @Test
  void anAcquireThatCannotBeSettledIsReportedAsSuch() throws Exception {
    proxy.refuseConnections();
    proxy.dropReplyTo(lockId.value());
    SyncGuardException failure =
        assertFails(Code.SERVICE_UNAVAILABLE, () -> acquire(faulty, key, lockId));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    proxy.heal();
    eventually(
        () -> assertThat(((Granted) acquire(faulty, key, lockId)).fence().toLong()).isEqualTo(1));
  }

  @Test
  void whereNothingGetsThroughFirestoreIsUnavailableUntilItDoesAgain() throws Exception {
    proxy.refuseConnections();
    proxy.cutConnections();
    SyncGuardException failure =
        assertFails(Code.SERVICE_UNAVAILABLE, () -> acquire(faulty, key, lockId));
    assertThat(failure.isOutcomeUnknown()).isFalse();
    proxy.heal();
    eventually(() -> assertThat(acquire(faulty, key, lockId)).isInstanceOf(Granted.class));
  }

  @Test
  void closingEndsWhatIsUnderWay() {
    proxy.freezeReplies();
    CompletionStage<Boolean> unanswered =
        faulty.execute(new LockOperation.IsLocked(ResourceKey.of(key)), Call.plain());
    faulty.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(unanswered));
  }

  @Test
  void whatIsNotAnsweredInTimeFailsAndLeavesNothingBehind() throws Exception {
    try (FirestoreStore hasty = open(Duration.ofMillis(500))) {
      eventually(
          () -> assertThat(ask(hasty, new LockOperation.IsLocked(ResourceKey.of(key)))).isFalse());
      proxy.freezeReplies();
      assertFails(
          Code.NETWORK_TIMEOUT, () -> ask(hasty, new LockOperation.IsLocked(ResourceKey.of(key))));
      assertFails(Code.NETWORK_TIMEOUT, () -> acquire(hasty, key, lockId));
      proxy.heal();
      eventually(
          () ->
              assertThat(ask(hasty, new LockOperation.Release(new LockReference(lockId, null))))
                  .isEqualTo(ReleaseResult.NOT_FOUND));
    }
  }
}
