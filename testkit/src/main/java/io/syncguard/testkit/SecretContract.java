package io.syncguard.testkit;

import io.syncguard.testkit.secret.NewIdSuite;
import io.syncguard.testkit.secret.PayloadSuite;
import io.syncguard.testkit.secret.SealedSuite;
import io.syncguard.testkit.secret.SecretExpirySuite;
import io.syncguard.testkit.secret.SecretFaultSuite;
import io.syncguard.testkit.secret.SecretTelemetrySuite;
import io.syncguard.testkit.secret.ViewSuite;

/**
 * The whole contract of a store's secrets. A store's test class extends this, says how to open the
 * store, and is done when all is green.
 */
public abstract class SecretContract extends StoreContract
    implements ViewSuite,
        PayloadSuite,
        SecretExpirySuite,
        SealedSuite,
        NewIdSuite,
        SecretFaultSuite,
        SecretTelemetrySuite {

  /** For subclasses. */
  protected SecretContract() {}
}
