package io.syncguard.testkit.secret;

import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static io.syncguard.testkit.secret.SecretSuite.reveal;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Views;
import io.syncguard.testkit.StoreSuite;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Ids that the client draws: a secret never takes the place of another. */
public interface NewIdSuite extends SecretSuite {

  @Test
  default void aSecretIsPutUnderTheIdThatTheClientDrew() {
    SecretId id = SecretId.random();
    assertThat(secrets().putIfNew(id, bytes("secret"), Views.of(1), LONG)).isTrue();
    assertThat(reveal(otherSecrets(), id).value()).isEqualTo(bytes("secret"));
  }

  @Test
  default void anIdThatIsInUseIsRefusedAndItsSecretStaysAsItIs() {
    SecretId id = secrets().put(bytes("first"), Views.of(2), LONG);
    SecretInfo before = secrets().peek(id).orElseThrow();
    assertThat(otherSecrets().putIfNew(id, bytes("second"), Views.of(9), LONG)).isFalse();
    assertThat(join(secrets().async().putIfNew(id, bytes("third"), Views.of(9), LONG))).isFalse();
    assertThat(secrets().peek(id)).contains(before);
    assertThat(reveal(secrets(), id).value()).isEqualTo(bytes("first"));
  }

  @Test
  default void anIdThatNothingIsLeftOfIsNewAgain() {
    SecretId id = secrets().put(bytes("first"), Views.of(1), LONG);
    secrets().view(id);
    assertThat(join(secrets().async().putIfNew(id, bytes("second"), Views.of(1), LONG))).isTrue();
    secrets().burn(id);
    assertThat(secrets().putIfNew(id, bytes("third"), Views.of(1), LONG)).isTrue();
    assertThat(reveal(secrets(), id).value()).isEqualTo(bytes("third"));
  }

  @Test
  default void ofManyPutsUnderOneIdAtTheSameTimeOneSucceeds() throws Exception {
    for (int round = 0; round < 5; round++) {
      SecretId id = SecretId.random();
      AtomicInteger turn = new AtomicInteger();
      List<Integer> stored =
          StoreSuite.together(
                  8,
                  () -> {
                    int mine = turn.incrementAndGet();
                    byte[] payload = bytes(Integer.toString(mine));
                    boolean isNew =
                        (mine % 2 == 0 ? secrets() : otherSecrets())
                            .putIfNew(id, payload, Views.of(1), LONG);
                    return isNew ? mine : 0;
                  })
              .stream()
              .filter(mine -> mine > 0)
              .toList();
      assertThat(stored).hasSize(1);
      assertThat(reveal(secrets(), id).value()).isEqualTo(bytes(stored.get(0).toString()));
    }
  }
}
