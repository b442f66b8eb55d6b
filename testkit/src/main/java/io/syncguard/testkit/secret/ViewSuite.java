package io.syncguard.testkit.secret;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static io.syncguard.testkit.secret.SecretSuite.reveal;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.AsyncSecrets;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.internal.UserThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** So many views and no more. */
public interface ViewSuite extends SecretSuite {

  @Test
  default void aSecretIsRevealedAsOftenAsItHasViewsAndThenIsGone() {
    SecretId id = secrets().put(bytes("secret"), Views.of(3), LONG);

    for (int left = 2; left >= 0; left--) {
      SecretView view = reveal(left == 1 ? otherSecrets() : secrets(), id);
      assertThat(view.value()).isEqualTo(bytes("secret"));
      assertThat(view.remaining()).isEqualTo(left);
      assertThat(view.burned()).isEqualTo(left == 0);
    }

    assertThat(secrets().view(id)).isEmpty();
    assertThat(otherSecrets().view(id)).isEmpty();
    assertThat(secrets().peek(id)).isEmpty();
    assertThat(secrets().burn(id)).isFalse();
  }

  @Test
  default void aPeekNeitherRevealsNorCounts() {
    SecretId id = secrets().put(bytes("secret"), Views.of(2), LONG);
    SecretInfo info = otherSecrets().peek(id).orElseThrow();
    assertThat(info.remaining()).isEqualTo(2);
    assertThat(secrets().peek(id)).contains(info);
    assertThat(reveal(secrets(), id).remaining()).isEqualTo(1);
    assertThat(secrets().peek(id)).contains(new SecretInfo(1, info.expiresAt()));
  }

  @Test
  default void whatWasBurnedIsGone() {
    SecretId id = secrets().put(bytes("secret"), Views.of(5), LONG);
    assertThat(otherSecrets().burn(id)).isTrue();
    assertThat(secrets().view(id)).isEmpty();
    assertThat(secrets().peek(id)).isEmpty();
    assertThat(secrets().burn(id)).isFalse();
  }

  @Test
  default void anIdThatNobodyPutFindsNothing() {
    SecretId id = SecretId.random();
    assertThat(secrets().view(id)).isEmpty();
    assertThat(secrets().peek(id)).isEmpty();
    assertThat(secrets().burn(id)).isFalse();
  }

  @Test
  default void secretsDoNotDisturbEachOther() {
    SecretId one = secrets().put(bytes("one"), Views.of(1), LONG);
    SecretId two = secrets().put(bytes("two"), Views.of(2), LONG);
    assertThat(one).isNotEqualTo(two);
    assertThat(reveal(secrets(), one).value()).isEqualTo(bytes("one"));
    assertThat(reveal(otherSecrets(), two).value()).isEqualTo(bytes("two"));
    assertThat(secrets().peek(two)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void aSecretCanHaveAMillionViews() {
    SecretId id = secrets().put(bytes("secret"), Views.of(Views.MOST), LONG);
    assertThat(reveal(secrets(), id).remaining()).isEqualTo(999_999);
    assertThat(secrets().burn(id)).isTrue();
  }

  @Test
  default void ofManyViewsAtTheSameTimeExactlyAsManyRevealAsThereWere() throws Exception {
    int views = 300;
    SecretId id = secrets().put(bytes("secret"), Views.of(views), LONG);
    List<List<Integer>> seen =
        StoreSuite.together(
            8,
            () -> {
              List<Integer> mine = new ArrayList<>();
              for (Optional<SecretView> view = viewed(id, mine.size());
                  view.isPresent();
                  view = viewed(id, mine.size())) {
                assertThat(view.get().value()).isEqualTo(bytes("secret"));
                mine.add(view.get().remaining());
              }
              return mine;
            });

    assertThat(seen.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, views).boxed().toList());
  }

  /** Views through one client and the other in turn. */
  private Optional<SecretView> viewed(SecretId id, int turn) {
    return (turn % 2 == 0 ? secrets() : otherSecrets()).view(id);
  }

  @Test
  default void theAsynchronousOperationsDoTheSame() {
    SecretId id = join(secrets().async().put(bytes("secret"), Views.of(2), LONG));
    assertThat(join(secrets().async().view(id)).orElseThrow().value()).isEqualTo(bytes("secret"));
    assertThat(join(secrets().async().peek(id)).orElseThrow().remaining()).isEqualTo(1);
    assertThat(join(secrets().async().burn(id))).isTrue();
    assertThat(join(secrets().async().view(id))).isEmpty();
    assertFails(
        Code.INVALID_ARGUMENT,
        () -> join(secrets().withLargestPayload(0).async().put(bytes("x"), Views.of(1), LONG)));
  }

  @Test
  default void aViewThatWasCalledOffBeforeItBeganIsNotCounted() {
    SecretId id = secrets().put(bytes("secret"), Views.of(1), LONG);
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    assertFails(Code.ABORTED, () -> secrets().cancelledBy(signal).view(id));
    assertFails(Code.ABORTED, () -> join(secrets().cancelledBy(signal).async().view(id)));

    Thread.currentThread().interrupt();
    assertFails(Code.ABORTED, () -> secrets().view(id));
    assertThat(Thread.interrupted()).isTrue();

    assertThat(secrets().peek(id)).map(SecretInfo::remaining).contains(1);
  }

  @Test
  default void nothingBeginsOnceTheGuardIsClosed() {
    SyncGuard closed = open(guardOptions());
    Secrets late = closed.secrets();
    closed.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> late.put(bytes("x"), Views.of(1), LONG));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(late.async().view(SecretId.random())));
  }

  @Test
  default void continuationsOfSecretsRunInTheUsersThreads() {
    try (UserThreads threads = new UserThreads(1)) {
      AsyncSecrets secrets = open(guardOptions().withExecutor(threads)).secrets().async();
      SecretId id = threads.continues(() -> secrets.put(SecretSuite.bytes("s"), Views.of(2), LONG));
      threads.continues(() -> secrets.peek(id));
      threads.continues(() -> secrets.view(id));
      threads.continues(() -> secrets.burn(id));
    }
  }
}
