package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeirsTest {

  private static final ResourceKey NAME = ResourceKey.of("slots");
  private static final Instant EXPIRY = Instant.ofEpochMilli(1_000_000);

  private final Heirs heirs = new Heirs();

  private static PermitReference someone() {
    return new PermitReference(NAME, PermitId.random());
  }

  private static PermitRequest request(PermitReference waiter) {
    return new PermitRequest(waiter, 1, Duration.ofSeconds(60), Duration.ofSeconds(10), true, true);
  }

  private PermitWatch waiting(PermitReference waiter, long ticket) {
    PermitWatch watch = heirs.watch(waiter, () -> {});
    heirs.queued(request(waiter), ticket);
    return watch;
  }

  private PermitReference takeFirst() {
    Heirs.Heir first = heirs.first(NAME);
    assertThat(first).isNotNull();
    return first.request().permit();
  }

  @Test
  void theSmallestTicketIsFirstAndNobodyIsNamedTwice() {
    PermitReference second = someone();
    PermitReference first = someone();
    waiting(second, 8);
    waiting(first, 7);
    assertThat(takeFirst()).isEqualTo(first);
    assertThat(takeFirst()).isEqualTo(second);
    assertThat(heirs.first(NAME)).isNull();
  }

  @Test
  void whoDidNotInheritStandsInLineAgain() {
    PermitReference waiter = someone();
    waiting(waiter, 1);
    Heirs.Heir heir = heirs.first(NAME);
    assertThat(heir).isNotNull();
    heir.standInLine();
    assertThat(takeFirst()).isEqualTo(waiter);
  }

  @Test
  void whoWaitsNoMoreIsNobodysHeir() {
    PermitWatch stays = waiting(someone(), 1);
    PermitWatch leavesWhileNamed = waiting(someone(), 2);
    stays.close();
    Heirs.Heir named = heirs.first(NAME);
    assertThat(named).isNotNull();
    leavesWhileNamed.close();
    named.standInLine();
    assertThat(heirs.first(NAME)).isNull();
  }

  @Test
  void whoHasNoPlaceIsNobodysHeir() {
    heirs.watch(someone(), () -> {});
    heirs.queued(request(someone()), 1);
    assertThat(heirs.first(NAME)).isNull();
  }

  @Test
  void anInheritanceIsHintedAndFoundOnceAndAsOldAsTheRequest() {
    AtomicInteger hints = new AtomicInteger();
    PermitReference waiter = someone();
    heirs.watch(waiter, hints::incrementAndGet);
    heirs.queued(request(waiter), 1);
    Heirs.Heir heir = heirs.first(NAME);
    assertThat(heir).isNotNull();
    Duration age = Duration.ofMinutes(1);
    heir.inherit(new PermitAttempt.Held(3, EXPIRY), System.nanoTime() - age.toNanos());
    assertThat(hints).hasValue(1);
    assertThat(heirs.inherited(waiter.id()))
        .get()
        .isInstanceOfSatisfying(
            PermitAttempt.Held.class,
            held -> {
              assertThat(held.slot()).isEqualTo(3);
              assertThat(held.expiresAt()).isEqualTo(EXPIRY);
              assertThat(held.age()).isGreaterThanOrEqualTo(age);
            });
    assertThat(heirs.inherited(waiter.id())).isEmpty();
  }
}
