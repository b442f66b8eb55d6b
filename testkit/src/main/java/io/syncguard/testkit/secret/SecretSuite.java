package io.syncguard.testkit.secret;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.fault.FaultySecretBackend;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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

  /** A client of the store under test that fails on request. */
  record FaultySecrets(Secrets secrets, Faults store) {}

  /** Opens a further client that fails on request, closed after the test. */
  default FaultySecrets openFaultySecrets(GuardOptions options) {
    List<FaultySecretBackend> store = new ArrayList<>();
    SyncGuard guard =
        open(
            options,
            client ->
                DecoratedStore.withSecrets(
                    client,
                    backend -> {
                      store.add(new FaultySecretBackend(backend));
                      return store.get(0);
                    }));
    return new FaultySecrets(guard.secrets(), store.get(0).faults());
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
