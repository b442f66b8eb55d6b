package io.syncguard.testkit.secret;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.secret.SecretSuite.bytes;
import static io.syncguard.testkit.secret.SecretSuite.reveal;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is put comes back byte for byte, or is refused. */
public interface PayloadSuite extends SecretSuite {

  @Test
  default void jsonComesBackByteForByteThroughAllViews() {
    // What a store that decodes and encodes again would damage.
    byte[] json = bytes("{\"list\":[],\"map\":{},\"big\":9007199254740993,\"text\":\"\\u00e9\" }");
    SecretId id = secrets().put(json, Views.of(3), LONG);
    for (int i = 0; i < 3; i++) {
      assertThat(reveal(otherSecrets(), id).value()).isEqualTo(json);
    }
  }

  @Test
  default void anEmptyPayloadIsOneToo() {
    SecretId id = secrets().put(new byte[0], Views.of(2), LONG);
    assertThat(reveal(secrets(), id).value()).isEmpty();
    assertThat(reveal(secrets(), id).value()).isEmpty();
    assertThat(secrets().view(id)).isEmpty();
  }

  @Test
  default void everyByteMayBeInAPayload() {
    byte[] all = new byte[512];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    SecretId id = secrets().put(all, Views.of(2), LONG);
    assertThat(reveal(secrets(), id).value()).isEqualTo(all);
    assertThat(reveal(otherSecrets(), id).value()).isEqualTo(all);
  }

  @Test
  default void aPayloadMayHaveAMebibyteAndNoMore() {
    byte[] large = new byte[Secrets.DEFAULT_LARGEST_PAYLOAD];
    new Random(1).nextBytes(large);
    SecretId id = secrets().put(large, Views.of(2), LONG);
    assertThat(reveal(secrets(), id).value()).isEqualTo(large);
    assertThat(reveal(otherSecrets(), id).value()).isEqualTo(large);

    byte[] larger = new byte[large.length + 1];
    assertThat(assertFails(Code.INVALID_ARGUMENT, () -> secrets().put(larger, Views.of(1), LONG)))
        .hasMessageContaining("1048576");
    SecretId allowed = secrets().withLargestPayload(larger.length).put(larger, Views.of(1), LONG);
    assertThat(reveal(secrets(), allowed).value()).isEqualTo(larger);
  }

  @Test
  default void whatTheCallerChangesLaterDoesNotMatter() {
    byte[] mine = bytes("secret");
    SecretId id = secrets().put(mine, Views.of(2), LONG);
    mine[0] = 'X';
    byte[] seen = reveal(secrets(), id).value();
    assertThat(seen).isEqualTo(bytes("secret"));
    seen[0] = 'X';
    assertThat(reveal(secrets(), id).value()).isEqualTo(bytes("secret"));
  }

  @Test
  default void viewsAndLifetimesThatCannotBeAreRefused() {
    assertFails(Code.INVALID_ARGUMENT, () -> Views.of(0));
    assertFails(Code.INVALID_ARGUMENT, () -> Views.of(-1));
    assertFails(Code.INVALID_ARGUMENT, () -> Views.of(Views.MOST + 1));
    assertFails(Code.INVALID_ARGUMENT, () -> secrets().put(bytes("x"), Views.of(1), Duration.ZERO));
    assertFails(Code.INVALID_ARGUMENT, () -> secrets().withLargestPayload(-1));
  }
}
