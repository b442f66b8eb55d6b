package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.WriteBatch;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FirestoreScanTest extends OnFirestore {

  private static final String LOCKS = FirestoreStoreOptions.defaults().locksCollection();
  private static final String FENCE = "000000000000001";

  private List<List<RawLockInfo>> walk() {
    Scan<RawLockInfo> scan = store.scanLocks();
    List<List<RawLockInfo>> pages = new ArrayList<>();
    for (Optional<List<RawLockInfo>> page = scan.next(NEVER);
        page.isPresent();
        page = scan.next(NEVER)) {
      pages.add(page.get());
    }
    return pages;
  }

  @Test
  void allLiveLocksAreListedOverSeveralPagesAndNothingElse() throws Exception {
    int count = FirestoreLocks.DOCUMENTS_AT_A_TIME + 1;
    List<String> keys = IntStream.range(0, count).mapToObj(i -> "scan" + i).toList();
    WriteBatch batch = firestore().batch();
    for (String key : keys) {
      batch.set(
          firestore().collection(LOCKS).document(key),
          lockFields(key, LockId.random(), FENCE, TTL));
    }
    await(batch.commit());
    LockId slashed = LockId.random();
    acquire("a/b", slashed);
    store(LOCKS, "expired", lockFields("expired", LockId.random(), FENCE, TTL.negated()));
    store(LOCKS, "copy", lockFields("scan0", LockId.random(), FENCE, TTL));
    store(LOCKS, "damaged", Map.of("key", "damaged"));

    List<List<RawLockInfo>> pages = walk();
    assertThat(pages).hasSize(2);
    List<String> expected = new ArrayList<>(keys);
    expected.add("a/b");
    assertThat(pages.stream().flatMap(List::stream).map(RawLockInfo::key))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(pages.stream().flatMap(List::stream))
        .filteredOn(lock -> lock.key().equals("a/b"))
        .singleElement()
        .satisfies(lock -> assertThat(lock.lockId()).isEqualTo(slashed))
        .satisfies(lock -> assertThat(lock.expiresAt()).isEqualTo(lock.acquiredAt().plus(TTL)));
  }
}
