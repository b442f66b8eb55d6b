package io.syncguard.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.syncguard.CancelSignal;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Views;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.SecretBackend;
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

    abstract Optional<SecretView> view(SecretId id, SecretBackend backend);

    @Override
    protected StoreFixture openFixture() {
      return new MutantFixture(
          client ->
              DecoratedStore.withSecrets(
                  client,
                  backend ->
                      new DelegatingSecretBackend(backend) {
                        @Override
                        public Instant put(NewSecret secret, CancelSignal signal) {
                          all.put(secret.id(), secret);
                          return super.put(secret, signal);
                        }

                        @Override
                        public Optional<SecretView> view(SecretId id, CancelSignal signal) {
                          return Mutant.this.view(id, backend);
                        }
                      }));
    }

    static Optional<SecretView> honest(SecretId id, SecretBackend backend) {
      return backend.view(id, CancelSignal.never());
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
              seen ->
                  backend.put(
                      new NewSecret(
                          id, seen.value(), Views.of(seen.remaining()), Duration.ofSeconds(2)),
                      CancelSignal.never()));
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
