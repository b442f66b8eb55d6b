package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.AsyncFairSemaphore;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A permit from when it is acquired until it is released. */
public interface PermitSuite extends SemaphoreSuite {

  @Test
  default void asManyHoldPermitsAsTheLimitAllows() {
    String name = newName();
    FairSemaphore here = guard().semaphore(name, 3);
    FairSemaphore there = otherGuard().semaphore(name, 3);
    Permit first = take(here);
    Permit second = take(there);
    Permit third = here.acquire();
    assertThat(here.tryAcquire()).isEmpty();
    assertThat(there.tryAcquire()).isEmpty();
    assertThat(first.slot()).isEqualTo(1);
    assertThat(second.slot()).isEqualTo(2);
    assertThat(third.slot()).isEqualTo(3);

    assertThat(second.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(take(here).slot()).isEqualTo(3);
  }

  @Test
  default void aPermitIsHeldUntilItIsReleased() {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 1);
    Permit permit = semaphore.acquire();
    assertThat(permit.isHeld()).isTrue();
    assertThat(permit.name()).isEqualTo(name);
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(permit.isHeld()).isFalse();
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.NOT_FOUND);
    assertThat(otherGuard().semaphores().stats(name)).isEmpty();
  }

  @Test
  default void closingTwiceFreesOneSlotOnly() {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 2);
    Permit kept = take(semaphore);
    Permit closed = take(semaphore);
    closed.close();
    closed.close();
    assertThat(acquired(name)).isEqualTo(1);
    assertThat(kept.isHeld()).isTrue();
  }

  @Test
  default void aPermitMayBeReleasedByAnotherThread() {
    FairSemaphore semaphore = guard().semaphore(newName(), 1);
    Permit permit = take(semaphore);
    assertThat(CompletableFuture.supplyAsync(permit::release).join())
        .isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(semaphore.tryAcquire()).isPresent();
  }

  @Test
  default void aPermitExpiresAfterItsTtl() {
    String name = newName();
    Permit sooner = take(guard().semaphore(name, 2));
    Permit later = take(guard().semaphore(name, 2, SemaphoreOptions.defaults().withTtl(LONG)));
    assertThat(Duration.between(sooner.expiresAt(), later.expiresAt()))
        .isBetween(Duration.ofMinutes(49), Duration.ofMinutes(51));
  }

  @Test
  default void theAsynchronousTwinDoesTheSame() {
    String name = newName();
    AsyncFairSemaphore semaphore = guard().semaphore(name, 1).async();
    Permit permit = join(semaphore.acquire());
    assertThat(join(semaphore.tryAcquire())).isEmpty();
    assertThat(join(semaphore.isLocked())).isTrue();
    assertThat(join(semaphore.stats()).acquired()).isEqualTo(1);
    CompletableFuture<Permit> next = semaphore.acquire(PATIENCE).toCompletableFuture();
    assertThat(join(permit.releaseAsync())).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(join(next.join().releaseAsync())).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(join(semaphore.tryAcquire())).isPresent();
    assertThat(join(semaphore.resize(2))).isTrue();
    assertThat(join(semaphore.tryAcquire())).isPresent();
  }

  @Test
  default void semaphoresOfDifferentNamesHaveNothingToDoWithEachOther() {
    take(guard().semaphore(newName(), 1));
    take(guard().semaphore(newName(), 1));
  }

  @Test
  default void badArgumentsAreRefused() {
    assertFails(Code.INVALID_ARGUMENT, () -> guard().semaphore(newName(), 0));
    assertFails(Code.INVALID_ARGUMENT, () -> guard().semaphore("", 1));
    FairSemaphore semaphore = guard().semaphore(newName(), 1);
    assertFails(Code.INVALID_ARGUMENT, () -> semaphore.acquire(Duration.ofMillis(-1)));
    assertFails(
        Code.INVALID_ARGUMENT, () -> join(semaphore.async().acquire(Duration.ofMillis(-1))));
    assertFails(Code.INVALID_ARGUMENT, () -> semaphore.resize(0));
    assertFails(
        Code.INVALID_ARGUMENT, () -> SemaphoreOptions.defaults().withHeartbeat(Duration.ZERO));
    assertFails(Code.INVALID_ARGUMENT, () -> SemaphoreOptions.defaults().withTtl(Duration.ZERO));
  }

  @Test
  default void nothingShowsARawName() {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 1);
    assertThat(take(semaphore).toString()).doesNotContain(name);
    assertThat(semaphore.toString()).doesNotContain(name);
    assertThat(semaphore.stats().toString()).doesNotContain(name);
    assertThat(
            assertFails(Code.ACQUISITION_TIMEOUT, () -> semaphore.acquire(Duration.ZERO))
                .getMessage())
        .doesNotContain(name);
  }
}
