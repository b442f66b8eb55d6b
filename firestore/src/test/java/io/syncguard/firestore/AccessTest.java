package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.server.FirestoreEmulator;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client that may read locks and nothing else, by the database's rules. */
class AccessTest extends OnFirestore {

  private static final String RULES =
      "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {"
          + " match /locks/{lock} { allow read: if true; } } }";

  private Firestore firestore;
  private FirestoreStore reader;

  @BeforeAll
  void connect() throws Exception {
    assumeTrue(
        System.getenv(FirestoreEmulator.OWN_EMULATOR) == null,
        "Google's client gives everybody all rights if the environment names the emulator");
    rule();
    firestore =
        FirestoreOptions.newBuilder()
            .setProjectId(project())
            .setCredentials(new FirestoreOptions.EmulatorCredentials())
            .setCredentialsProvider(NoCredentialsProvider.create())
            .setChannelProvider(
                InstantiatingGrpcChannelProvider.newBuilder()
                    .setEndpoint(FirestoreEmulator.hostAndPort())
                    .setChannelConfigurator(channel -> channel.usePlaintext())
                    .build())
            .build()
            .getService();
    reader = FirestoreStore.over(firestore, FirestoreFixture.PATIENT, fixture.clock());
  }

  @AfterAll
  void disconnect() {
    if (firestore != null) {
      firestore.shutdownNow();
    }
  }

  private String project() {
    return firestore().getOptions().getProjectId();
  }

  private void rule() throws Exception {
    String emulator = "http://" + FirestoreEmulator.hostAndPort() + "/emulator/v1/projects/";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(emulator + project() + ":securityRules"))
            .PUT(
                HttpRequest.BodyPublishers.ofString(
                    "{\"rules\": {\"files\": [{\"content\": \"" + RULES + "\"}]}}"))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private static void assertRefused(ThrowingCallable operation) {
    SyncGuardException failure = assertFails(Code.AUTH_FAILED, operation);
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(failure).hasMessageContaining("roles/datastore.user");
  }

  @Test
  void whoMayOnlyReadIsRefusedAndNothingIsInDoubt() {
    String key = newKey();
    LockId lockId = LockId.random();
    acquire(key, lockId);
    LockReference lock = new LockReference(lockId, null);
    assertThat(ask(reader, new LockOperation.FindById(lockId))).isPresent();
    assertRefused(() -> ask(reader, new LockOperation.Extend(lock, TTL)));
    assertRefused(() -> ask(reader, new LockOperation.Release(lock)));
    assertRefused(() -> acquire(reader, newKey(), LockId.random()));
    assertRefused(reader::measureClockSkew);
    assertThat(ask(store, new LockOperation.IsLocked(ResourceKey.of(key)))).isTrue();
  }

  @Test
  void whoMayNotListenIsToldSoThatItAsksAgain() throws Exception {
    FirestoreStoreOptions hidden = FirestoreFixture.PATIENT.withCollections("hidden", "fences");
    FirestoreStore blind = FirestoreStore.over(firestore, hidden, fixture.clock());
    ResourceKey key = ResourceKey.of(newKey());
    assertRefused(() -> ask(blind, new LockOperation.IsLocked(key)));
    store("hidden", key.value(), lockFields(key.value(), LockId.random(), "000000000000001", TTL));
    CountDownLatch told = new CountDownLatch(1);
    try (Watch watch =
        blind
            .locks()
            .watch(new LockReference(LockId.random(), key), WaiterHints.looking(told::countDown))
            .orElseThrow()) {
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(watch.isTold()).isFalse();
    }
  }
}
