package io.syncguard.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.GuardContext;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The states of a wait, on a clock that the test moves. */
class WaitTest {

  private static final Duration MAX_WAIT = Duration.ofSeconds(10);
  private static final Duration GRANT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String PLACE = "a place";
  private static final String ANOTHER_PLACE = "another place";
  private static final String BUSY = "busy";
  private static final String GRANTED = "granted";

  private final HandMovedTime time = new HandMovedTime(Long.MAX_VALUE - MAX_WAIT.toNanos() / 2);
  private final Store store = StoreProvider.openStore("memory:", time);
  private final GuardContext guard =
      new GuardContext(store, GuardOptions.defaults().withTimeSource(time));
  private final AtomicInteger wakeUps = new AtomicInteger();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void itAsksAtOnce() {
    assertThat(newWait(MAX_WAIT).napNanos()).isZero();
  }

  @Test
  void withAPlaceItSleepsUntilItsTimeIsOver() {
    Scripted wait = placed();
    assertThat(wait.napNanos()).isEqualTo(MAX_WAIT.toNanos());
    time.move(MAX_WAIT);
    assertThat(wait.napNanos()).isZero();
    wait.attempt();
    assertThat(wait.isLast()).isTrue();
  }

  @Test
  void aFreshGrantThatItIsToldOfIsTakenUnasked() {
    Scripted wait = placed();
    time.move(Duration.ofSeconds(1));
    wait.told("slot 1");
    assertThat(wakeUps).hasValue(1);
    assertThat(wait.takeGrant()).isEqualTo("began with slot 1");
    assertThat(wait.keptUntil - time.nanoTime()).isEqualTo(GRANT.minusSeconds(1).toNanos());
  }

  @Test
  void aGrantThatMayBeNearItsEndIsAskedFor() {
    Scripted wait = placed();
    time.move(GRANT.multipliedBy(3).dividedBy(4).plusNanos(1));
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isNull();
    assertThat(wait.napNanos()).isZero();
  }

  @Test
  void aHeartbeatThatFindsItWaitingMakesLaterGrantsFresh() {
    Scripted wait = placed();
    time.move(Duration.ofSeconds(5));
    wait.stillPlacedAt(time.nanoTime());
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isEqualTo("began with slot 1");
    assertThat(wait.keptUntil - time.nanoTime()).isEqualTo(GRANT.toNanos());
  }

  @Test
  void anOldHeartbeatMakesNothingStale() {
    Scripted wait = placed();
    wait.stillPlacedAt(time.nanoTime() - GRANT.toNanos());
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isEqualTo("began with slot 1");
  }

  @Test
  void aGrantIsAskedForIfAnEarlierAnswerWasLost() {
    Scripted wait = placed();
    wait.look();
    wait.attempt();
    wait.failed(lostReply());
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isNull();
    assertThat(wait.napNanos()).isZero();
  }

  @Test
  void aGrantIsAskedForIfAnEarlierPlaceWasLost() {
    Scripted wait = placed();
    wait.look();
    wait.attempt();
    assertThat(wait.answered(ANOTHER_PLACE)).isNull();
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isNull();
    assertThat(wait.napNanos()).isZero();
  }

  @Test
  void aGrantThatIsToldWhileItAsksIsLookedAtAfterTheAnswer() {
    Scripted wait = newWait(MAX_WAIT);
    wait.attempt();
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isNull();
    assertThat(wait.answered(PLACE)).isNull();
    assertThat(wait.takeGrant()).isEqualTo("began with slot 1");
  }

  @Test
  void aGrantForAnEarlierIdIsOfNoUse() {
    Scripted wait = placed();
    wait.refusesToBegin = true;
    wait.told("slot 1");
    assertThat(wait.takeGrant()).isNull();
    assertThat(wait.napNanos()).isZero();
  }

  @Test
  void toldToLookItAsksOnceMore() {
    Scripted wait = placed();
    wait.look();
    assertThat(wait.napNanos()).isZero();
    wait.attempt();
    assertThat(wait.answered(PLACE)).isNull();
    assertThat(wait.napNanos()).isEqualTo(MAX_WAIT.toNanos());
  }

  @Test
  void withoutAPlaceItAsksAgainAfterAPause() {
    Scripted wait = newWait(MAX_WAIT);
    wait.attempt();
    assertThat(wait.answered(BUSY)).isNull();
    assertThat(wait.napNanos()).isEqualTo(PAUSE.toNanos());
    time.move(PAUSE);
    assertThat(wait.napNanos()).isZero();
    wait.attempt();
    assertThat(wait.isCausedByTimer()).isTrue();
  }

  @Test
  void aStoreThatFailsIsAskedAgainWithLongerPauses() {
    Scripted wait = newWait(MAX_WAIT);
    wait.attempt();
    wait.failed(unavailable());
    assertThat(wait.napNanos()).isEqualTo(PAUSE.toNanos());
    time.move(PAUSE);
    wait.attempt();
    wait.failed(unavailable());
    assertThat(wait.napNanos()).isEqualTo(PAUSE.multipliedBy(2).toNanos());
  }

  @Test
  void whatAStoreFailsWithAtTheLastTryIsThrown() {
    Scripted wait = newWait(MAX_WAIT);
    time.move(MAX_WAIT);
    assertThat(wait.napNanos()).isZero();
    wait.attempt();
    SyncGuardException failure = unavailable();
    assertThatThrownBy(() -> wait.failed(failure)).isSameAs(failure);
  }

  @Test
  void aWaitOfZeroIsASingleAttempt() {
    Scripted wait = newWait(Duration.ZERO);
    assertThat(wait.napNanos()).isZero();
    wait.attempt();
    assertThat(wait.isLast()).isTrue();
  }

  @Test
  void whatIsGrantedAfterALostReplyCountsFromTheFirstOfThem() {
    Scripted wait = newWait(MAX_WAIT);
    long first = time.nanoTime();
    wait.attempt();
    wait.failed(lostReply());
    time.move(PAUSE);
    wait.attempt();
    assertThat(wait.answered(GRANTED)).isEqualTo("got");
    assertThat(wait.grantedSince()).isEqualTo(first);
  }

  private Scripted placed() {
    Scripted wait = newWait(MAX_WAIT);
    wait.attempt();
    assertThat(wait.answered(PLACE)).isNull();
    return wait;
  }

  private Scripted newWait(Duration maxWait) {
    Scripted wait = new Scripted(maxWait);
    wait.wakeBy(wakeUps::incrementAndGet);
    return wait;
  }

  private static SyncGuardException unavailable() {
    return new SyncGuardException(Code.SERVICE_UNAVAILABLE, "planted");
  }

  private static SyncGuardException lostReply() {
    return SyncGuardException.withUnknownOutcome(
        Code.NETWORK_TIMEOUT, "planted", Subject.NONE, null);
  }

  /** Waits for a text; answers and grants are texts. */
  private final class Scripted extends Wait<String, String, String> {

    private long keptUntil;
    private boolean refusesToBegin;

    Scripted(Duration maxWait) {
      super(guard, CancelSignal.never(), maxWait);
    }

    @Override
    protected Subject subject() {
      return Subject.ofLock("a", null);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // No store is asked.
    protected Operation<String> question(boolean last) {
      return (Operation) new LockOperation.IsLocked(ResourceKey.of("a"));
    }

    @Override
    protected @Nullable String read(String answer) {
      if (answer.equals(GRANTED)) {
        return "got";
      }
      if (answer.equals(PLACE)) {
        keepPlace(1);
      } else if (answer.equals(ANOTHER_PLACE)) {
        keepPlace(2);
      } else {
        askAgainIn(PAUSE.toNanos());
      }
      return null;
    }

    @Override
    protected @Nullable String begin(String grant, long keptUntil) {
      this.keptUntil = keptUntil;
      return refusesToBegin ? null : "began with " + grant;
    }

    @Override
    protected long grantNanos() {
      return GRANT.toNanos();
    }

    @Override
    protected long pauseNanos(int failures) {
      return PAUSE.toNanos() << failures;
    }

    @Override
    protected void gaveUp() {}

    @Override
    protected void giveBack(String got) {}
  }
}
