package io.syncguard.redis.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisOptions.Releases;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Releases that tell the first waiter instead of granting to it. */
class RedisTellingReleasesTest extends OnQueues {

  private Store told;

  @BeforeAll
  void openProcessThatIsTold() throws InterruptedException {
    told = listening(RedisOptions.defaults().withReleases(Releases.TELL));
  }

  @Test
  void aReleaseFreesTheLockAndTellsTheFirstAlone() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(told, "k");
    TestWaiter second = TestWaiter.queued(told, "k");
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    first.toldToLook();
    assertThat(contents.all()).doesNotContainKey(LOCK);
    assertThat(queue()).containsExactly(first.id.value(), second.id.value());
    Granted granted = (Granted) first.await();
    assertThat(granted.fence().toLong()).isEqualTo(2);
    assertThat(queue()).containsExactly(second.id.value());
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    second.toldToLook();
    assertThat(second.attempt()).isInstanceOf(Granted.class);
    assertThat(second.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(first.grants).isEmpty();
    assertThat(second.grants).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void noOtherWaiterOfOursOvertakesTheFirst() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(told, "k");
    TestWaiter second = TestWaiter.queued(a, "k");
    holder.release();
    first.toldToLook();
    TestWaiter newcomer = new TestWaiter(b, "k");
    assertThat(newcomer.attempt()).isEqualTo(new Held(Duration.ofMillis(1)));
    assertThat(((Queued) newcomer.await()).remaining()).isZero();
    assertThat(((Queued) second.await()).remaining()).isZero();
    assertThat(second.keepWaiting()).isEqualTo(PlaceState.WAITING);
    assertThat(first.await()).isInstanceOf(Granted.class);
    first.release();
    assertThat(second.told().fence().toLong()).isEqualTo(3);
  }

  @Test
  void aClientThatKnowsNoQueueHasItsChance() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(told, "k");
    long ticket = first.join();
    PlainClient foreign = new PlainClient(server, "k");
    assertThat(foreign.acquire()).isFalse();
    holder.release();
    first.toldToLook();
    assertThat(foreign.acquire()).isTrue();
    Queued queued = (Queued) first.await();
    assertThat(queued.ticket()).isEqualTo(ticket);
    assertThat(queued.remaining()).isPositive();
    assertThat(foreign.release()).isTrue();
    assertThat(first.keepWaiting()).isEqualTo(PlaceState.WAITING);
    first.toldToLook();
    assertThat(((Granted) first.await()).fence().toLong()).isEqualTo(3);
    first.release();
    assertNothingIsLeft();
  }

  @Test
  void aWaiterOfADeadProcessIsNotWaitedFor() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter dead = TestWaiter.queued(told, "k");
    TestWaiter next = TestWaiter.queued(b, "k");
    holder.release();
    dead.toldToLook();
    forgetTheLiving();
    assertThat(next.keepWaiting()).isEqualTo(PlaceState.GONE);
    assertThat(next.told().fence().toLong()).isEqualTo(2);
    next.release();
    assertNothingIsLeft();
  }

  @Test
  void fencesThatSurviveDoSoForAWaiterThatIsTold() throws Exception {
    Store surviving =
        listening(
            RedisOptions.defaults()
                .withReleases(Releases.TELL)
                .withFences(RedisOptions.Fences.SURVIVE_DATA_LOSS));
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(surviving, "k");
    long before = contents.nowMs();
    holder.release();
    waiter.toldToLook();
    assertThat(((Granted) waiter.await()).fence().toLong()).isGreaterThanOrEqualTo(before);
  }
}
