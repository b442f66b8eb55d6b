package io.syncguard.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.ViewAttempt;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.DelegatingSecretBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
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

  /** As a nested class it is run by the tests above only. */
  abstract static class Mutant extends SecretContract {

    final Map<SecretId, NewSecret> all = new ConcurrentHashMap<>();

    ViewAttempt view(SecretId id, ProofHash presented, SecretBackend backend) {
      Optional<SecretView> view = view(id, backend);
      return view.isPresent() ? new ViewAttempt.Revealed(view.get()) : new ViewAttempt.NotFound();
    }

    Optional<SecretView> view(SecretId id, SecretBackend backend) {
      return honest(id, backend);
    }

    Optional<Instant> put(NewSecret secret, SecretBackend backend) {
      return backend.put(secret, CancelSignal.never());
    }

    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          client ->
              DecoratedStore.withSecrets(
                  client,
                  backend ->
                      new DelegatingSecretBackend(backend) {
                        @Override
                        public Optional<Instant> put(NewSecret secret, CancelSignal signal) {
                          all.put(secret.id(), secret);
                          return Mutant.this.put(secret, backend);
                        }

                        @Override
                        public ViewAttempt view(
                            SecretId id, ProofHash presented, CancelSignal signal) {
                          return Mutant.this.view(id, presented, backend);
                        }
                      }));
    }

    static Optional<SecretView> honest(SecretId id, SecretBackend backend) {
      return backend.view(id, ProofHash.NONE, CancelSignal.never())
              instanceof ViewAttempt.Revealed revealed
          ? Optional.of(revealed.view())
          : Optional.empty();
    }
  }

  static class ChecksAfterCounting extends Mutant {
    @Override
    ViewAttempt view(SecretId id, ProofHash presented, SecretBackend backend) {
      NewSecret secret = all.get(id);
      ProofHash own = secret == null ? presented : secret.proofHash();
      ViewAttempt attempt = backend.view(id, own, CancelSignal.never());
      return own.equals(presented) ? attempt : new ViewAttempt.WrongProof();
    }
  }

  static class PutsOverAnother extends Mutant {
    @Override
    Optional<Instant> put(NewSecret secret, SecretBackend backend) {
      backend.burn(secret.id(), CancelSignal.never());
      return backend.put(secret, CancelSignal.never());
    }
  }

  static class RevealsOnceMore extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, SecretBackend backend) {
      return honest(id, backend)
          .or(
              () ->
                  Optional.ofNullable(all.remove(id))
                      .map(secret -> new SecretView(secret.payload(), 0)));
    }
  }

  static class KeepsText extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, SecretBackend backend) {
      return honest(id, backend)
          .map(
              view ->
                  new SecretView(
                      new String(view.value(), UTF_8).getBytes(UTF_8), view.remaining()));
    }
  }

  static class EncodesAgain extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, SecretBackend backend) {
      return honest(id, backend)
          .map(
              view ->
                  new SecretView(
                      new String(view.value(), UTF_8).replace("[]", "{}").getBytes(UTF_8),
                      view.remaining()));
    }
  }

  static class ProlongsByViews extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, SecretBackend backend) {
      Optional<SecretView> view = honest(id, backend);
      view.filter(seen -> !seen.burned())
          .ifPresent(
              seen -> {
                backend.burn(id, CancelSignal.never());
                backend.put(
                    new NewSecret(
                        id,
                        seen.value(),
                        ProofHash.NONE,
                        Views.of(seen.remaining()),
                        Duration.ofSeconds(2)),
                    CancelSignal.never());
              });
      return view;
    }
  }

  static class CountsTwice extends Mutant {
    @Override
    Optional<SecretView> view(SecretId id, SecretBackend backend) {
      Optional<SecretView> view = honest(id, backend);
      honest(id, backend);
      return view;
    }
  }
}
