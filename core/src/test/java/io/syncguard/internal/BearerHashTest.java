package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.KeyHash;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.ReleaseErrorHandler.Source;
import io.syncguard.Subject;
import io.syncguard.secret.SecretId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import org.junit.jupiter.api.Test;

class BearerHashTest {

  private static final String ID = "abcdefghijklmnopqrst_-";

  /** What sha256sum says of the id, its first 24 digits. */
  private static final String HASH = "1df1b27f8978206d4f816c64";

  @Test
  void idsOfSecretsAndPermitsAreShownByTheFirst96BitsOfTheirSha256() {
    assertThat(SecretId.of(ID).hash()).isEqualTo(HASH);
    assertThat(SecretId.of(ID)).hasToString("SecretId[" + HASH + "]");
    assertThat(PermitId.of(ID).hash()).isEqualTo(HASH);
    assertThat(PermitId.of(ID)).hasToString("PermitId[" + HASH + "]");
  }

  @Test
  void aFailureShowsThemInTheSameWay() {
    Subject permit = new PermitReference(ResourceKey.of("name"), PermitId.of(ID)).subject();
    assertThat(permit.id()).isEqualTo(ID);
    assertThat(permit.toString()).contains(HASH, KeyHash.of("name")).doesNotContain(KeyHash.of(ID));
    assertThat(new ReleaseErrorHandler.Failure(permit, Source.CLOSE).toString())
        .contains(HASH)
        .doesNotContain(KeyHash.of(ID));
  }

  @Test
  void aLockIdKeepsTheHashThatOtherLanguagesKnow() {
    Subject lock = Subject.ofLock("name", ID);
    assertThat(lock.toString()).contains(KeyHash.of(ID));
    assertThat(new ReleaseErrorHandler.Failure(lock, Source.CLOSE).toString())
        .contains(KeyHash.of(ID));
  }
}
