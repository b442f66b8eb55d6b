package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A new project on the emulator, a store on it, and a look at it from outside. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class OnFirestore {

  static final Duration TTL = Duration.ofMinutes(5);
  static final CancelSignal NEVER = CancelSignal.never();

  FirestoreFixture fixture;
  FirestoreStore store;

  @BeforeAll
  void open() {
    fixture = new FirestoreFixture();
    store = fixture.openClient();
  }

  @AfterAll
  void close() {
    if (fixture != null) {
      store.close();
      fixture.close();
    }
  }

  Firestore firestore() {
    return fixture.firestore();
  }

  static String newKey() {
    return "k" + UUID.randomUUID();
  }

  AcquireAttempt acquire(String key, LockId lockId) {
    return acquire(store, key, lockId);
  }

  static AcquireAttempt acquire(Store by, String key, LockId lockId) {
    return ask(by, new LockOperation.Acquire(ResourceKey.of(key), lockId, TTL, false));
  }

  /** The fields of a lock as a client in another language writes them. */
  Map<String, Object> lockFields(String key, LockId lockId, String fence, Duration expiresIn) {
    long nowMs = fixture.clock().currentTimeMillis();
    Map<String, Object> fields = new HashMap<>();
    fields.put("key", key);
    fields.put("lockId", lockId.value());
    fields.put("fence", fence);
    fields.put("acquiredAtMs", nowMs - 600_000);
    fields.put("expiresAtMs", nowMs + expiresIn.toMillis());
    return fields;
  }

  void store(String collection, String id, Map<String, Object> fields) throws Exception {
    await(firestore().collection(collection).document(id).set(fields));
  }

  Map<String, Object> stored(String collection, String id) throws Exception {
    return await(firestore().collection(collection).document(id).get()).getData();
  }

  List<String> ids(String collection) throws Exception {
    return await(firestore().collection(collection).get()).getDocuments().stream()
        .map(DocumentSnapshot::getReference)
        .map(DocumentReference::getId)
        .toList();
  }

  static <T> T await(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(30, TimeUnit.SECONDS);
  }
}
