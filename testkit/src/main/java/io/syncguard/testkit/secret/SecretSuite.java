package io.syncguard.testkit.secret;

import io.syncguard.GuardOptions;
import io.syncguard.Primitive;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.Faults;
import java.nio.charset.StandardCharsets;

/** What the suites have to work with: the secrets of one store as its clients see them. */
public interface SecretSuite extends StoreSuite {

  /** Returns the secrets as one client sees them. */
  default Secrets secrets() {
    return guard().secrets();
  }

  /** Returns the same secrets as another client sees them. */
  default Secrets otherSecrets() {
    return otherGuard().secrets();
  }

  /** Opens a further client whose secrets fail on request, closed after the test. */
  default FaultyClient openFaulty(GuardOptions options) {
    return openFaulty(options, Faults.on(Primitive.SECRET));
  }

  /** Views a secret that must be there. */
  static SecretView reveal(Secrets secrets, SecretId id) {
    return secrets.view(id).orElseThrow(() -> new AssertionError("There is no such secret"));
  }

  /** Returns a payload. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
