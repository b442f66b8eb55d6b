package io.syncguard.testkit;

import static io.syncguard.testkit.StoreSuite.ask;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import io.syncguard.spi.secret.ViewAttempt;
import io.syncguard.testkit.fault.Interception;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A store that breaks one promise fails the contract, in the tests that are about that promise. */
class SecretMutantsAreCaughtTest {

  @Test
  void oneViewTooMany() {
    assertFails(RevealsOnceMore.class, "aSecretIsRevealedAsOftenAsItHasViewsAndThenIsGone");
    assertFails(RevealsOnceMore.class, "ofManyViewsAtTheSameTimeExactlyAsManyRevealAsThereWere");
  }

  @Test
  void aPayloadThatIsReadAsText() {
    assertFails(KeepsText.class, "everyByteMayBeInAPayload");
    assertFails(KeepsText.class, "aPayloadMayHaveAMebibyteAndNoMore");
  }

  @Test
  void anEmptyListThatBecomesAnEmptyMap() {
    assertFails(EncodesAgain.class, "jsonComesBackByteForByteThroughAllViews");
  }

  @Test
  void aViewThatProlongs() {
    assertFails(ProlongsByViews.class, "aViewEvery300MsDoesNotMoveTheExpiryOfASecretOf1600Ms");
  }

  @Test
  void aViewThatIsCountedTwice() {
    assertFails(CountsTwice.class, "aSecretIsRevealedAsOftenAsItHasViewsAndThenIsGone");
    assertFails(CountsTwice.class, "aViewWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated");
  }

  @Test
  void aWrongKeyThatCostsAView() {
    assertFails(ChecksAfterCounting.class, "aWrongKeyIsAnErrorOfItsOwnAndCostsNoView");
  }

  @Test
  void aPutThatTakesThePlaceOfAnother() {
    assertFails(PutsOverAnother.class, "anIdThatIsInUseIsRefusedAndItsSecretStaysAsItIs");
    assertFails(PutsOverAnother.class, "ofManyPutsUnderOneIdAtTheSameTimeOneSucceeds");
  }

  private static void assertFails(Class<? extends SecretContract> mutant, String test) {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(mutant, test))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.started(1).failed(1));
  }

  /** The in-memory store with a bug; as a nested class it is run by the tests above only. */
  abstract static class Mutant extends SecretContract {

    final Map<SecretId, NewSecret> all = new ConcurrentHashMap<>();

    ViewAttempt view(SecretId id, ProofHash presented, OperationExecutor store) {
      Optional<SecretView> view = view(id, store);
      return view.isPresent() ? new ViewAttempt.Revealed(view.get()) : new ViewAttempt.NotFound();
    }

    Optional<SecretView> view(SecretId id, OperationExecutor store) {
      return honest(id, store);
    }

    Optional<Instant> put(NewSecret secret, OperationExecutor store) {
      return ask(store, new SecretOperation.Put(secret));
    }

    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          Interception.on(
                  SecretOperation.Put.class,
                  (put, call, next) -> {
                    all.put(put.id(), put.secret());
                    return CompletableFuture.completedFuture(put(put.secret(), next));
                  })
              .andOn(
                  SecretOperation.View.class,
                  (view, call, next) ->
                      CompletableFuture.completedFuture(view(view.id(), view.presented(), next))));
    }

    static Optional<SecretView> honest(SecretId id, OperationExecutor store) {
      return ask(store, new SecretOperation.View(id, ProofHash.NONE))
              instanceof ViewAttempt.Revealed revealed
          ? Optional.of(revealed.view())
          : Optional.empty();
    }
  }

  static class ChecksAfterCounting extends Mutant {
    @Override
    ViewAttempt view(SecretId id, ProofHash presented, OperationExecutor store) {
      NewSecret secret = all.get(id);
      ProofHash own = secret == null ? presented : secret.proofHash();
      ViewAttempt attempt = ask(store, new SecretOperation.View(id, own));
      return own.equals(presented) ? attempt : new ViewAttempt.WrongProof();
    }
  }

  static class PutsOverAnother extends Mutant {
    @Override
    Optional<Instant> put(NewSecret secret, OperationExecutor store) {
      ask(store, new SecretOperation.Burn(secret.id()));
      return super.put(secret, store);
    }
  }

  static class RevealsOnceMore extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, OperationExecutor store) {
      return honest(id, store)
          .or(
              () ->
                  Optional.ofNullable(all.remove(id))
                      .map(secret -> new SecretView(secret.payload(), 0)));
    }
  }

  static class KeepsText extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, OperationExecutor store) {
      return honest(id, store)
          .map(
              view ->
                  new SecretView(
                      new String(view.value(), UTF_8).getBytes(UTF_8), view.remaining()));
    }
  }

  static class EncodesAgain extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, OperationExecutor store) {
      return honest(id, store)
          .map(
              view ->
                  new SecretView(
                      new String(view.value(), UTF_8).replace("[]", "{}").getBytes(UTF_8),
                      view.remaining()));
    }
  }

  static class ProlongsByViews extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, OperationExecutor store) {
      Optional<SecretView> view = honest(id, store);
      view.filter(seen -> !seen.burned())
          .ifPresent(
              seen -> {
                ask(store, new SecretOperation.Burn(id));
                put(
                    new NewSecret(
                        id,
                        seen.value(),
                        ProofHash.NONE,
                        Views.of(seen.remaining()),
                        Duration.ofSeconds(2)),
                    store);
              });
      return view;
    }
  }

  static class CountsTwice extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, OperationExecutor store) {
      Optional<SecretView> view = honest(id, store);
      honest(id, store);
      return view;
    }
  }
}
