package io.syncguard.testkit.scan;

import static io.syncguard.testkit.lock.LockSuite.SHORT;
import static io.syncguard.testkit.lock.LockSuite.UNTIL_SHORT_IS_OVER;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.testkit.lock.KeySuite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which locks are listed. Others may be there as well: a test looks at its own only. */
public interface LockScanSuite extends ScanSuite {

  /** Returns those whose keys begin so, page by page. */
  private List<List<RawLockInfo>> pagesOf(String prefix) {
    return walk(Store::scanLocks).stream()
        .map(page -> page.stream().filter(lock -> lock.key().startsWith(prefix)).toList())
        .toList();
  }

  private List<RawLockInfo> listed(String prefix) {
    return pagesOf(prefix).stream().flatMap(List::stream).toList();
  }

  private List<String> takeMany(String prefix) {
    List<String> keys = IntStream.range(0, SEVERAL_PAGES).mapToObj(i -> prefix + i).toList();
    List<CompletionStage<AcquireResult>> attempts =
        keys.stream().map(key -> guard().locks().async().tryLock(key, LONG)).toList();
    assertThat(attempts).allSatisfy(held -> assertThat(join(held)).isInstanceOf(LockHandle.class));
    return keys;
  }

  private void releaseAll(String prefix) {
    List<CompletionStage<?>> releases = new ArrayList<>();
    listed(prefix).forEach(lock -> releases.add(guard().locks().async().release(lock.lockId())));
    releases.forEach(release -> join(release));
  }

  @Test
  default void manyLocksAreListedOnceEachOverSeveralPages() {
    String prefix = newName() + ":";
    List<String> keys = takeMany(prefix);
    List<List<RawLockInfo>> pages = pagesOf(prefix);
    assertThat(pages).filteredOn(page -> !page.isEmpty()).hasSizeGreaterThan(1);
    assertThat(pages.stream().flatMap(List::stream))
        .extracting(RawLockInfo::key)
        .containsExactlyInAnyOrderElementsOf(keys);
    releaseAll(prefix);
    assertThat(listed(prefix)).isEmpty();
  }

  @Test
  default void whatIsHeldAllTheTimeIsListedThoughOthersComeAndGo() {
    String prefix = newName() + ":";
    String passing = newName() + ":";
    List<String> keys = takeMany(prefix);
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> others =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !enough.get(); i++) {
                take(otherGuard().locks(), passing + i % 100, LONG).close();
              }
            });
    try {
      for (int walk = 0; walk < 2; walk++) {
        assertThat(listed(prefix)).extracting(RawLockInfo::key).containsAll(keys);
      }
    } finally {
      enough.set(true);
    }
    others.join();
    releaseAll(prefix);
  }

  @Test
  default void aLockIsListedAsALookupFindsIt() {
    String key = newName();
    try (LockHandle lock = take(guard().locks(), key, LONG)) {
      RawLockInfo found = otherGuard().locks().getByIdRaw(lock.lockId()).orElseThrow();
      assertThat(listed(key)).containsExactly(found);
      lock.extend(LONG.multipliedBy(2));
      assertThat(listed(key)).singleElement().isNotEqualTo(found);
    }
    assertThat(listed(key)).isEmpty();
  }

  @Test
  default void whatHasExpiredIsNotListed() throws InterruptedException {
    String prefix = newName();
    take(guard().locks(), prefix + "brief", SHORT);
    try (LockHandle lasting = take(guard().locks(), prefix + "lasting", LONG)) {
      fixture().passTime(UNTIL_SHORT_IS_OVER);
      assertThat(listed(prefix)).extracting(RawLockInfo::lockId).containsExactly(lasting.lockId());
    }
  }

  @Test
  default void hostileKeysAreListedAsTheyAre() {
    String suffix = newName();
    List<String> keys =
        KeySuite.hostileKeys().filter(key -> key.length() <= 200).map(key -> key + suffix).toList();
    List<LockHandle> held = keys.stream().map(key -> take(guard().locks(), key, LONG)).toList();
    assertThat(listed(""))
        .extracting(RawLockInfo::key)
        .filteredOn(key -> key.endsWith(suffix))
        .containsExactlyInAnyOrderElementsOf(keys);
    held.forEach(LockHandle::close);
  }

  @Test
  default void theLongestKeyIsListed() {
    String name = newName();
    String key = name + "é".repeat((512 - name.length()) / 2);
    try (LockHandle lock = take(guard().locks(), key, LONG)) {
      assertThat(listed(key)).extracting(RawLockInfo::lockId).containsExactly(lock.lockId());
    }
  }

  @Test
  default void aWalkThatIsCancelledStops() {
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    try (Store store = fixture().openClient()) {
      Scan<RawLockInfo> scan = store.scanLocks();
      assertFails(Code.ABORTED, () -> scan.next(signal));
    }
  }
}
