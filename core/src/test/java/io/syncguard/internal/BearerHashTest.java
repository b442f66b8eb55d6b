package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseErrorHandler;
import io.syncguard.lock.ReleaseErrorHandler.Source;
import io.syncguard.secret.SecretId;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.ResourceKey;
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
    SyncGuardException.Context permit =
        new PermitReference(ResourceKey.of("name"), PermitId.of(ID)).context();
    assertThat(permit.bearerId()).isEqualTo(ID);
    assertThat(permit.toString()).contains(HASH, KeyHash.of("name")).doesNotContain(KeyHash.of(ID));
    assertThat(new ReleaseErrorHandler.Failure("name", LockId.of(ID), Source.PERMIT).toString())
        .contains(HASH)
        .doesNotContain(KeyHash.of(ID));
  }

  @Test
  void aLockIdKeepsTheHashThatOtherLanguagesKnow() {
    assertThat(new ReleaseErrorHandler.Failure("name", LockId.of(ID), Source.CLOSE).toString())
        .contains(KeyHash.of(ID));
    assertThat(new SyncGuardException.Context("name", ID).toString()).contains(KeyHash.of(ID));
  }
}
